"""What is drawn on paper, and with what: documents, themes, sheets, and pages of PDFs."""
