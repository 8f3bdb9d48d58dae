"""Export and import: companies as documents, where imported ones come from, and units for battles."""
