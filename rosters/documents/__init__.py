"""Export and import of companies as documents, origins of imported companies, and units as documents for battles."""
