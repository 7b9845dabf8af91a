"""CSV as programs and people write it: encodings, marks, shapes."""

from __future__ import annotations

import codecs

from tests.analyst.tables.corpus.cases import text

TOWNS = "Ort,Umsatz\nKöln,1200\nMünchen,99\nZürich,350\n"
TOWN_COLUMNS = {"Ort": ["Köln", "München", "Zürich"], "Umsatz": [1200, 99, 350]}
THREE = {"name": ["Ann", "Bob", "Cem"], "n": [1, 2, 3]}
PLAIN = "name,n\nAnn,1\nBob,2\nCem,3\n"
MANY = "".join(f"item {i},{i},{i * 2}\n" for i in range(1, 7))
MANY_COLUMNS = {"item": [f"item {i}" for i in range(1, 7)], "a": [*range(1, 7)], "b": [i * 2 for i in range(1, 7)]}

ENCODINGS = [
    text("utf-8", TOWNS, TOWN_COLUMNS),
    text("utf-8 with a mark", TOWNS, TOWN_COLUMNS, encoding="utf-8-sig"),
    text("utf-16 with a mark", TOWNS, TOWN_COLUMNS, "UTF-16", encoding="utf-16"),
    text("utf-16 big-endian with a mark", codecs.BOM_UTF16_BE + TOWNS.encode("utf-16-be"), TOWN_COLUMNS, "UTF-16"),
    text("utf-16 little-endian without a mark", TOWNS, TOWN_COLUMNS, "UTF-16", encoding="utf-16-le"),
    text("utf-16 big-endian without a mark", TOWNS, TOWN_COLUMNS, "UTF-16", encoding="utf-16-be"),
    text("utf-32", TOWNS, TOWN_COLUMNS, "UTF-32", encoding="utf-32"),
    text("latin-1", TOWNS, TOWN_COLUMNS, "Windows-1252", encoding="latin-1"),
    text("windows-1252 with a euro and dashes", "Posten;Preis\nÄpfel – rot;3,50 €\nBirnen – “gelb”;4,00 €\n",
         {"Posten": ["Äpfel – rot", "Birnen – “gelb”"], "Preis": [3.5, 4]}, "Windows-1252", encoding="cp1252"),
    text("cyrillic windows-1251",
         "Город;Сумма\nМосква;12\nКазань;9\nПермь;7\nОмск;3\nСамара;4\nСочи;1\n",
         {"Город": ["Москва", "Казань", "Пермь", "Омск", "Самара", "Сочи"], "Сумма": [12, 9, 7, 3, 4, 1]},
         encoding="cp1251"),
    text("utf-8 with one broken byte", TOWNS.encode().replace("ü".encode(), b"\xfc", 1),
         {"Umsatz": [1200, 99, 350]}),
]  # fmt: skip

MARKS = [
    text("semicolons", PLAIN.replace(",", ";"), THREE, "semicolons"),
    text("tabs", PLAIN.replace(",", "\t"), THREE, "tabs"),
    text("vertical bars", PLAIN.replace(",", "|"), THREE, "vertical bars"),
    text("carets", PLAIN.replace(",", "^"), THREE),
    text("tildes", PLAIN.replace(",", "~"), THREE),
    text("a separator line", "sep=;\n" + PLAIN.replace(",", ";"), THREE),
    text("windows line ends", PLAIN.replace("\n", "\r\n"), THREE),
    text("old mac line ends", PLAIN.replace("\n", "\r"), THREE),
    text("mixed line ends", "name,n\r\nAnn,1\nBob,2\r\nCem,3", THREE),
    text("no line end at the end", PLAIN.rstrip(), THREE),
    text("quoted cells with separators", 'name,n\n"Ann, dear",1\n"Bob ""B""",2\n', {"name": ["Ann, dear", 'Bob "B"'],
                                                                                   "n": [1, 2]}),
    text("quoted cells with line breaks", 'name,n\n"Ann\nof Cleves",1\nBob,2\n', {"name": ["Ann\nof Cleves", "Bob"],
                                                                                 "n": [1, 2]}),
    text("everything quoted", '"name","n"\n"Ann","1"\n"Bob","2"\n"Cem","3"\n', THREE),
    text("single quotes", "'name','n'\n'Ann, dear','1'\n'Bob','2'\n'Cem','3'\n", {"name": ["Ann, dear", "Bob", "Cem"],
                                                                                 "n": [1, 2, 3]}),
    text("spaces after separators", 'name, n\n"Ann", 1\n"Bob", 2\n"Cem", 3\n', THREE),
    text("cells padded with spaces", " name ,  n \n Ann  , 1 \nBob ,2\n  Cem,  3\n", THREE),
    text("hard spaces", "name,n\n\u00a0Ann\u00a0,1\nBob,2\nCem,3\n", THREE),
    text("a quote mark in the middle of a cell", 'size,n\n5" pipe,1\n7" pipe,2\n6 feet,3\n', {
        "size": ['5" pipe', '7" pipe', "6 feet"], "n": [1, 2, 3]}),
    text("a quote mark that is never closed", 'name,n\nAnn "the queen,1\nBob,2\nCem,3\n', {
        "name": ['Ann "the queen', "Bob", "Cem"], "n": [1, 2, 3]}, "never closed"),
    text("decimal commas with semicolons", "Ort;Wert\nA;1,5\nB;2,25\nC;10,75\n", {"Ort": ["A", "B", "C"],
                                                                                 "Wert": [1.5, 2.25, 10.75]}),
    text("cells guarded against formulas", "name,note\nAnn,'=1+1\nBob,'-x\nCem,plain\n", {
        "name": ["Ann", "Bob", "Cem"], "note": ["=1+1", "-x", "plain"]}),
    text("nul bytes between letters", b"na\x00me,n\nA\x00nn,1\nBob,2\nCem,3\n", THREE),
]  # fmt: skip

SHAPES = [
    text("short rows", "item,a,b\nx,1,2\ny,3\nz,5,6\n", {"item": ["x", "y", "z"], "a": [1, 3, 5], "b": [2, None, 6]},
         "shorter than the header"),
    text("long rows", "item,a\nx,1\ny,2,extra\nz,3\n", {"item": ["x", "y", "z"], "a": [1, 2, 3],
                                                       "Column 3": [None, "extra", None]}, "longer than the header"),
    text("trailing separators", "name,n,\nAnn,1,\nBob,2,\nCem,3,\n", THREE, "1 empty column left out"),
    text("blank lines", "\n\nname,n\n\nAnn,1\n\n\nBob,2\nCem,3\n\n", THREE),
    text("lines of separators", "name,n\nAnn,1\n,\nBob,2\n , \nCem,3\n,\n", THREE),
    text("one line above the header", "Sales report\n" + "item,a,b\n" + MANY, MANY_COLUMNS, "1 line above the header"),
    text("several lines above the header", "Report,,\nMade,2024-01-01,\n,,\nitem,a,b\n" + MANY, MANY_COLUMNS,
         "above the header left out"),
    text("a total at the end", "item,a,b\n" + MANY + "Total,21,42\n", MANY_COLUMNS, "1 totals row left out"),
    text("a grand total in capitals", "item,a,b\n" + MANY + "GRAND TOTAL,21,42\n", MANY_COLUMNS, "totals row left out"),
    text("subtotals and a total",
         "item,a\nx,1\ny,2\nSubtotal,3\nz,3\nw,4\nSubtotal,7\nTotal,10\n",
         {"item": ["x", "y", "z", "w"], "a": [1, 2, 3, 4]}, "3 totals rows left out"),
    text("a total in german", "Posten;Wert\nA;1,50\nB;2,25\nC;3,00\nSumme;6,75\n",
         {"Posten": ["A", "B", "C"], "Wert": [1.5, 2.25, 3]}, "totals row left out"),
    text("something called total that is none", "item,a\nTotal Inc,5\nSmith,7\nJones,9\n",
         {"item": ["Total Inc", "Smith", "Jones"], "a": [5, 7, 9]}),
    text("a remark below the table", "item,a,b\n" + MANY + "\nSource: our shop\n", MANY_COLUMNS, "below the table"),
    text("headers that repeat", "a,a,a\nx,1,2\ny,3,4\n", {"a": ["x", "y"], "a (2)": [1, 3], "a (3)": [2, 4]},
         "got a number behind"),
    text("headers alike but for case", "Name,NAME,n\nx,p,1\ny,q,2\n", {"Name": ["x", "y"], "NAME (2)": ["p", "q"],
                                                                      "n": [1, 2]}),
    text("a header that is empty", "item,,b\nx,1,2\ny,3,4\n", {"item": ["x", "y"], "Column 2": [1, 3], "b": [2, 4]},
         "without a name was numbered"),
    text("a header over two rows", "Region,2023,,2024,\n,Units,Sales,Units,Sales\nWest,1,10.5,2,20.5\n"
         "East,3,30.5,4,40.5\nNorth,5,50.5,6,60.5\n",
         {"Region": ["West", "East", "North"], "2023 - Units": [1, 3, 5], "2023 - Sales": [10.5, 30.5, 50.5],
          "2024 - Units": [2, 4, 6], "2024 - Sales": [20.5, 40.5, 60.5]}, "header stands over 2 rows"),
    text("a header with line breaks", '"Unit\nprice",n\n1.5,1\n2.5,2\n', {"Unit price": [1.5, 2.5], "n": [1, 2]}),
    text("a header that comes again", "name,n\nAnn,1\nname,n\nBob,2\nname,n\nCem,3\n", THREE,
         "repeated header rows left out"),
    text("no header at all", "Ann,1,2.5\nBob,2,3.5\nCem,3,4.5\nDan,4,5.5\n",
         {"Column 1": ["Ann", "Bob", "Cem", "Dan"], "Column 2": [1, 2, 3, 4], "Column 3": [2.5, 3.5, 4.5, 5.5]},
         "no header row"),
    text("years as headers", "Region,2022,2023,2024\nWest,1,2,3\nEast,4,5,6\nNorth,7,8,9\n",
         {"Region": ["West", "East", "North"], "2022": [1, 4, 7], "2023": [2, 5, 8], "2024": [3, 6, 9]}),
    text("one column", "name\nAnn\nBob\nCem\n", {"name": ["Ann", "Bob", "Cem"]}),
    text("one row", "name,n\nAnn,1\n", {"name": ["Ann"], "n": [1]}),
    text("columns without a value", "name,n,nothing\nAnn,1,\nBob,2,\n", {"name": ["Ann", "Bob"], "n": [1, 2],
                                                                       "nothing": [None, None]}),
    text("a running number before the names", ",name,n\n0,Ann,1\n1,Bob,2\n2,Cem,3\n",
         {"Column 1": [0, 1, 2], "name": ["Ann", "Bob", "Cem"], "n": [1, 2, 3]}),
]  # fmt: skip

TEXTS = [*ENCODINGS, *MARKS, *SHAPES]
