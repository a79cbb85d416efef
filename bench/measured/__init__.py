"""The report: every part's runs in one JSON, and the page, charts and README table made from it."""
