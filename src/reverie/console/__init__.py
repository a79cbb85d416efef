"""The console: pages for a person who wants to see, trust and mend what is remembered."""
