"""A quote: one record of what it says (`contents`), arranged in sections (`sections`), and a writer for each form."""
