"""The gazette of a campaign: gathered, written in editions, shown as pages, paper and feed."""
