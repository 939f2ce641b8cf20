"""Figures of merit: accuracy, calibration, speed, memory. Never installed; see README.md here."""
