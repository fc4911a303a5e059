"""The figures of Part III, chapters 10 to 12."""
