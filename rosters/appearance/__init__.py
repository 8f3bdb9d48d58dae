"""How a company looks: its emblem, its owner's texts, and pictures of it, its units and pilots."""
