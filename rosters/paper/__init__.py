"""All changes to prints, print presets and printer profiles."""
