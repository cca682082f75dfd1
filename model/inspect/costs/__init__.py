"""What layers cost: their multiplications counted, and their time on this machine."""
