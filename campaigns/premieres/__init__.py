"""Premieres: a match fought by orders is told to everybody at the same time, and nobody can look ahead."""
