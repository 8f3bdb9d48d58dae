"""The gazette of a campaign: its content, its editions, and its pages, paper and feed."""
