"""The appearance of a company: its emblem, its owner's texts, and pictures of it, its units and pilots."""
