"""Values as people write them, a column each."""

from __future__ import annotations

from datetime import date, datetime

from tests.analyst.tables.corpus.cases import column, text


def d(*parts: int) -> date:
    return date(*parts)


NUMBERS = [
    column("dollars", ["$1,234.50", "$12.00", "-$3.25"], [1234.5, 12, -3.25]),
    column("euros with a comma", ["€ 1.234,50", "€ 12,00", "€ 3,25"], [1234.5, 12, 3.25], "decimal mark"),
    column("euros behind", ["1.234,50 €", "12,00 €", "-3,25 €"], [1234.5, 12, -3.25]),
    column("currency codes", ["USD 1,234.50", "USD 12.00", "USD 3.25"], [1234.5, 12, 3.25]),
    column("pounds and brackets", ["£500.00", "(£250.00)", "£1,000.00"], [500, -250, 1000], "negative"),
    column("brackets for negative", ["100", "(500)", "1,250"], [100, -500, 1250], "negative"),
    column("magnitudes", ["1.2M", "500K", "3.5B", "12k"], [1_200_000, 500_000, 3_500_000_000, 12_000]),
    column("dollars with magnitudes", ["$1.2M", "$500K", "$3M"], [1_200_000, 500_000, 3_000_000]),
    column("percents", ["12.5%", "7%", "-3.25%"], [12.5, 7, -3.25]),
    column("percents with a space and a comma", ["12,5 %", "7,0 %", "3,25 %"], [12.5, 7, 3.25]),
    column("thousands with commas", ["1,234", "12,345,678", "999"], [1234, 12345678, 999]),
    column("thousands with points", ["1.234.567", "12.345.678", "999"], [1234567, 12345678, 999]),
    column("thousands with spaces", ["1 234,50", "12 345,00", "9,99"], [1234.5, 12345, 9.99]),
    column("thousands with hard spaces", ["1\u00a0234,50", "12\u202f345,00", "9,99"], [1234.5, 12345, 9.99]),
    column("swiss apostrophes", ["1'234.50", "12'345.00", "9.99"], [1234.5, 12345, 9.99]),
    column("true minus signs", ["−5", "−7", "3"], [-5, -7, 3]),
    column("signs behind", ["5-", "7-", "3"], [-5, -7, 3]),
    column("plus signs", ["+5", "+7", "-3"], [5, 7, -3]),
    column("scientific", ["1.5e3", "2E-2", "3.25e+1"], [1500.0, 0.02, 32.5]),
    column("units behind", ["5 kg", "7.5 kg", "10 kg"], [5, 7.5, 10]),
    column("numbers in words among figures", ["12", "two hundred", "7", "31"], [12, 200, 7, 31], "read as figures"),
    column("missing in many words", ["1", "n/a", "-", "N/A", "2", "NULL", "3"], [1, None, None, None, 2, None, 3],
           "taken for missing"),
    column("errors of a spreadsheet", ["1", "#DIV/0!", "2", "#REF!", "3"], [1, None, 2, None, 3]),
    column("several currencies", ["$5.00", "€6.00", "£7.00"], ["$5.00", "€6.00", "£7.00"], "several currencies"),
    column("figures among words", ["5", "about 7", "many"], ["5", "about 7", "many"]),
    column("zeros in front", ["00123", "00045", "10001"], ["00123", "00045", "10001"], head="zip"),
    column("twenty digits", ["12345678901234567890", "12345678901234567891"],
           ["12345678901234567890", "12345678901234567891"]),
    column("phones", ["+49 30 1234567", "+49 89 7654321"], ["+49 30 1234567", "+49 89 7654321"], head="phone"),
    column("versions", ["1.2.3", "1.10.0", "2.0.1"], ["1.2.3", "1.10.0", "2.0.1"]),
    column("ranges", ["1-5", "6-10", "11-20"], ["1-5", "6-10", "11-20"]),
    column("fractions of many places", ["0.123456789", "0.5", "1.25"], [0.123456789, 0.5, 1.25]),
    column("cents that must not drift", ["0.10", "0.20", "0.30"], [0.1, 0.2, 0.3]),
]  # fmt: skip

TRUTHS = [
    column("true and false", ["true", "false", "TRUE"], [True, False, True]),
    column("yes and no", ["Yes", "No", "yes"], ["Yes", "No", "yes"]),
    column("y and n", ["Y", "N", "Y"], ["Y", "N", "Y"]),
]

DATES = [
    column("iso", ["2024-01-31", "2024-02-29", "2023-12-01"], [d(2024, 1, 31), d(2024, 2, 29), d(2023, 12, 1)]),
    column("iso with time", ["2024-01-31T10:30:00", "2024-02-29T00:00:00"],
           [datetime(2024, 1, 31, 10, 30), datetime(2024, 2, 29)]),
    column("iso in utc", ["2024-01-31T10:30:00Z", "2024-02-29T08:15:00Z"],
           [datetime(2024, 1, 31, 10, 30), datetime(2024, 2, 29, 8, 15)]),
    column("iso with zones", ["2024-01-31T10:30:00+02:00", "2024-02-29T08:15:00+02:00"],
           [datetime(2024, 1, 31, 8, 30), datetime(2024, 2, 29, 6, 15)], "UTC"),
    column("american", ["1/31/2024", "2/29/2024", "12/1/2023"], [d(2024, 1, 31), d(2024, 2, 29), d(2023, 12, 1)]),
    column("british", ["31/1/2024", "29/2/2024", "1/12/2023"], [d(2024, 1, 31), d(2024, 2, 29), d(2023, 12, 1)]),
    column("german", ["31.01.2024", "29.02.2024", "01.12.2023"], [d(2024, 1, 31), d(2024, 2, 29), d(2023, 12, 1)]),
    column("years of two digits", ["31/01/24", "29/02/24", "01/12/99"],
           [d(2024, 1, 31), d(2024, 2, 29), d(1999, 12, 1)]),
    column("ambiguous in every row", ["01/02/2024", "03/04/2024", "05/06/2023"],
           [d(2024, 1, 2), d(2024, 3, 4), d(2023, 5, 6)],
           "the order of day and month is ambiguous; read as month before day"),
    column("settled by one row", ["01/02/2024", "25/04/2024", "05/06/2023"],
           [d(2024, 2, 1), d(2024, 4, 25), d(2023, 6, 5)]),
    column("both orders in one column", ["25/04/2024", "04/25/2024", "26/05/2024"],
           [d(2024, 4, 25), d(2024, 4, 25), d(2024, 5, 26)], "mix both orders"),
    column("month names", ["3 Jan 2024", "29 February 2024", "1 Dec 2023"],
           [d(2024, 1, 3), d(2024, 2, 29), d(2023, 12, 1)]),
    column("month names first", ["January 3, 2024", "Feb 29, 2024", "Dec 1, 2023"],
           [d(2024, 1, 3), d(2024, 2, 29), d(2023, 12, 1)]),
    column("months", ["Jan 2024", "Feb 2024", "Mar 2024"], [d(2024, 1, 1), d(2024, 2, 1), d(2024, 3, 1)], "first day"),
    column("whole numbers", ["20240131", "20240229", "20231201"], [d(2024, 1, 31), d(2024, 2, 29), d(2023, 12, 1)],
           "read as dates", head="order_date"),
    column("seconds since 1970", ["1706697000", "1709194500"],
           [datetime(2024, 1, 31, 10, 30), datetime(2024, 2, 29, 8, 15)], "since 1970", head="created_at"),
    column("twelve hours", ["1/31/2024 10:30 AM", "2/29/2024 8:15 PM"],
           [datetime(2024, 1, 31, 10, 30), datetime(2024, 2, 29, 20, 15)]),
    column("iso and american mixed", ["2024-01-31", "1/25/2024", "2024-03-02"],
           [d(2024, 1, 31), d(2024, 1, 25), d(2024, 3, 2)]),
    column("days that do not exist", ["31/04/2024", "01/05/2024", "13/05/2024"],
           ["31/04/2024", "01/05/2024", "13/05/2024"]),
    text("the other column settles the order",
         "a;b\n01/02/2024;25/12/2023\n03/04/2024;26/12/2023\n05/06/2023;27/12/2023\n",
         {"a": [d(2024, 2, 1), d(2024, 4, 3), d(2023, 6, 5)],
          "b": [d(2023, 12, 25), d(2023, 12, 26), d(2023, 12, 27)]}, "other date columns"),
    text("some cells that are no dates in a long column",
         "id;day\n" + "".join(f"{i};2024-01-{i % 28 + 1:02d}\n" for i in range(98)) + "98;soon\n99;later\n",
         {"id": [*range(100)], "day": [*(d(2024, 1, i % 28 + 1) for i in range(98)), None, None]},
         "2 values could not be read as a date", "rows 99, 100"),
]  # fmt: skip

VALUES = [*NUMBERS, *TRUTHS, *DATES]
