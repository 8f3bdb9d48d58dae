"""Friendly games of companies in a campaign."""
