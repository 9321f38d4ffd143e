from tool import split_bill


def test_parts_add_up():
    parts = split_bill(1000, ["Ada", "Bo", "Cy"])
    assert parts == {"Ada": 334, "Bo": 333, "Cy": 333}


def test_tip_is_rounded_once():
    assert sum(split_bill(999, ["Ada", "Bo"], tip_percent=12.5).values()) == 1124
