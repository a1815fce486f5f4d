"""What every table is made of: rows, tenancy, leases, indexes and totals."""
