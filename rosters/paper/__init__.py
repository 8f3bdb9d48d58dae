"""Drawing on paper: documents, themes, sheets, and pages of PDFs."""
