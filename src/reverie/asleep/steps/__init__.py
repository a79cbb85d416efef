"""The steps of a night, one file or folder each, in the order of `pipeline.STEPS`."""
