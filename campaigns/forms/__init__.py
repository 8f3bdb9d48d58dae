"""Forms of campaigns and rounds."""
