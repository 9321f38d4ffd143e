from decimal import ROUND_HALF_UP, Decimal


def split_bill(cents, people, tip_percent=0):
    """Who pays how many cents."""
    whole = Decimal(cents) * (100 + Decimal(str(tip_percent))) / 100
    share, odd = divmod(int(whole.quantize(Decimal(1), ROUND_HALF_UP)), len(people))
    return {name: share + (1 if place < odd else 0) for place, name in enumerate(people)}
