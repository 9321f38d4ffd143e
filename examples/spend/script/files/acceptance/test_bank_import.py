import pytest

GERMAN = """Kontoauszug;;;
Zeitraum;01.03.2024;31.03.2024;
Buchungstag;Verwendungszweck;Betrag;Saldo
01.03.2024;REWE Markt Köln;-45,90;1.954,10
02.03.2024;Café Sol;-3,20;1.950,90
02.03.2024;Café Sol;-3,20;1.947,70
03.03.2024;Gehalt;2.500,00;4.447,70
04.03.2024;Miete März;-1.100,00;3.347,70
"""
OPTIONS = ("--skip", "2", "--decimal", ",", "--date-format", "%d.%m.%Y")


@pytest.fixture
def bank(tmp_path):
    def write(text, name="bank.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_text(text, encoding=encoding)
        return path

    return write


def test_a_german_export_is_read_with_its_signs_and_columns(spend, bank, line):
    said = spend("import", bank(GERMAN), *OPTIONS)
    assert said == "Imported 4 entries, skipped 1 incoming payment\n"
    listed = spend("list")
    assert "1,100.00  unsorted  Miete März" in listed
    assert line(listed, "Total").split()[1] == "1,152.30"


def test_the_same_file_again_adds_nothing_and_equal_rows_are_kept_apart(spend, bank):
    spend("import", bank(GERMAN), *OPTIONS)
    assert spend("import", bank(GERMAN), *OPTIONS).startswith("Imported 0 entries, skipped 4 duplicates")
    assert spend("list").count("Café Sol") == 2


def test_a_file_that_overlaps_adds_only_what_is_new(spend, bank):
    spend("import", bank(GERMAN), *OPTIONS)
    later = GERMAN + "05.03.2024;Café Sol;-3,20;0\n02.03.2024;Café Sol;-3,20;0\n"
    assert spend("import", bank(later), *OPTIONS).startswith("Imported 2 entries, skipped 4 duplicates")


def test_an_edited_entry_is_still_known(spend, bank):
    spend("import", bank("date,amount,description\n2024-03-01,-5,Shop\n"))
    spend("edit", "1", "--description", "Birthday present", "--category", "gifts")
    spend("import", bank("date,amount,description\n2024-03-01,-5,Shop\n"))
    assert "Shop" not in spend("list")


def test_rules_choose_the_category_and_the_most_precise_one_wins(spend, bank, line):
    spend("rule", "add", "Markt", "shopping")
    spend("rule", "add", "REWE Markt", "food")
    spend("import", bank(GERMAN), *OPTIONS, "--category", "other")
    listed = spend("list")
    assert "food" in line(listed, "1 ")
    assert "other" in line(listed, "2 ")
    assert line(spend("rule", "list"), "rewe").split() == ["rewe", "markt", "food"]
    spend("rule", "remove", "Markt")
    assert "shopping" not in spend("rule", "list")


def test_a_rule_follows_its_category_when_that_is_renamed(spend, bank):
    spend("add", "1", "food")
    spend("rule", "add", "rewe", "food")
    spend("categories", "rename", "food", "groceries")
    assert "groceries" in spend("rule", "list")


def test_a_layout_is_saved_and_used_again_by_name(spend, bank):
    spend("import", bank(GERMAN), *OPTIONS, "--save-profile", "sparkasse")
    later = GERMAN + "05.03.2024;Buch;-12,00;0\n"
    assert spend("import", bank(later), "--profile", "sparkasse").startswith("Imported 1 entry")
    assert "sparkasse" in spend("import", bank(later), "--profile", "other", code=1)


def test_columns_are_named_where_they_are_unusual(spend, bank):
    text = "When\tHow much\tWhat for\n2024-03-01\t9.99\tBook\n"
    columns = ("--date", "when", "--amount", "How much", "--description", "What for")
    assert "How much" in spend("import", bank(text), code=1)
    assert spend("import", bank(text), *columns, "--positive") == "Imported 1 entry\n"


def test_a_dry_run_changes_nothing(spend, bank):
    assert spend("import", bank(GERMAN), *OPTIONS, "--dry-run").startswith("Would import 4 entries")
    assert spend("list") == "No entries.\n"


def test_a_bad_line_is_named_and_nothing_of_its_file_is_kept(spend, bank):
    broken = "date,amount,description\n2024-03-01,-5,Shop\n2024-03-99,-5,Shop\n"
    assert "line 3" in spend("import", bank(broken), code=1)
    short = "date,amount,description\n2024-03-01,-5,Shop\n2024-03-02\n"
    assert "line 3" in spend("import", bank(short), code=1)
    assert spend("list") == "No entries.\n"


def test_old_encodings_and_missing_files(spend, bank, tmp_path):
    spend("import", bank(GERMAN, encoding="cp1252"), *OPTIONS)
    assert "Miete März" in spend("list")
    assert "gone.csv" in spend("import", tmp_path / "gone.csv", code=1)
