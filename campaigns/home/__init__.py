"""The first page: a stranger’s, or the reader’s own with what is on in their clubs and campaigns."""
