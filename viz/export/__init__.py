"""Pictures and numbers to take home: files, handout, a page of its own."""
