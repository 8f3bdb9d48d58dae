"""Reads of clubs and campaigns, a module for each user task: rows in, frozen dataclasses out."""
