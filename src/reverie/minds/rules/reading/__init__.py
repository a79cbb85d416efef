"""What was said, read: sentences worth keeping, directives, dates, matters, and what brings what up to date."""
