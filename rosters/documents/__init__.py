"""Export and import: companies as documents, and their units for battles."""
