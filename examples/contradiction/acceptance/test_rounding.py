import unittest
from rounding import round_amount


class Rounding(unittest.TestCase):
    def test_half(self):
        self.assertEqual(round_amount(2.5), 3)

    def test_below_half(self):
        self.assertEqual(round_amount(2.4), 2)
