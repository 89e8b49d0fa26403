package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Formats of tables, firewalls and sensors. */
class TableFormatsTest {

  @Test
  void ndjsonReadsOneMember() {
    Reading r =
        Reading.of(
            "ndjson:v",
            """
            {"v":"192.0.2.1"}
            {"v":" Spam.example "}
            {"w":"x"}
            {"v":17}
            [1]
            {"v":
            """);
    assertEquals(List.of("192.0.2.1:1", "spam.example:2"), r.entries);
    assertEquals(4, r.problems.size(), r.problems::toString);
  }

  @Test
  void rangeCsvTakesOneRowOfWordsForItsHeader() {
    Reading r = Reading.of("range-csv", "# banner\nstart,end\nstart,end\n192.0.2.0,192.0.2.1\n");
    assertEquals(List.of("3:row that does not begin with two addresses"), r.problems);
    r = Reading.of("range-csv", "192.0.2.300,192.0.2.1\n192.0.2.0,192.0.2.1\n");
    assertEquals(List.of("1:row that does not begin with two addresses"), r.problems);
  }

  @Test
  void rangeCsvReadsTwoColumns() {
    Reading r =
        Reading.of(
            "range-csv",
            """
            first,last,owner
            192.0.2.0,192.0.2.255,"A, B"
            2001:db8::;2001:db8::1;x
            192.0.2.9,192.0.2.8,x
            192.0.2.9,2001:db8::,x
            lonely
            """);
    assertEquals(List.of("192.0.2.0/24:2", "2001:db8::/127:3"), r.entries);
    assertEquals(3, r.problems.size(), r.problems::toString);
  }

  /** As `postmap -q` says: "non-null host address bits ... skipping this rule". */
  @Test
  void aRuleThatPostfixSkipsForItsHostBitsIsNoEntry() {
    for (String format : List.of("postfix-cidr", "postfix-access")) {
      Reading r = Reading.of(format, "85.9.3.4/24 OK\n1.2.3.4/24 REJECT\n1.2.4.0/24 REJECT\n");
      assertEquals(List.of("1.2.4.0/24:3"), r.entries);
      assertEquals(
          List.of(
              "1:host bits are set: Postfix skips this rule",
              "2:host bits are set: Postfix skips this rule"),
          r.problems);
    }
  }

  @Test
  void postfixAccessReadsSubjectsAsPostfixLooksThemUp() {
    Reading r =
        Reading.of(
            "postfix-access",
            """
            # comment
            spam.example REJECT go
               away
            .below.example 550 5.7.1 no
            ok.example OK
            num.example 12
            bad@mail.example DISCARD
            good@mail.example DUNNO
            192.0.2.1 REJECT
            198.51.100 REJECT
            2001:db8:1 REJECT
            2001:db8::7 OK
            postmaster@ OK
            odd.example FILTER x:y
            empty.example
            """);
    assertEquals(
        List.of(
            "spam.example+:2",
            "*.below.example:4",
            "!ok.example+:5",
            "!num.example+:6",
            "bad@mail.example:7",
            "!good@mail.example:8",
            "192.0.2.1:9",
            "198.51.100.0/24:10",
            "2001:db8:1::/48:11",
            "!2001:db8::7:12"),
        r.entries);
    assertEquals(
        List.of("14:action that neither refuses nor permits", "15:entry without an action"),
        r.problems);
    assertEquals(1, r.totals.skipped());
  }

  @Test
  void ipsetSaveReadsWhatIsAdded() {
    Reading r =
        Reading.of(
            "ipset-save",
            """
            create bad hash:net family inet hashsize 1024
            add bad 192.0.2.0/24 timeout 60 comment "x y"
            add bad 192.0.2.9 nomatch
            add bad 198.51.100.1-198.51.100.2
            add ports 192.0.2.1,tcp:25
            add bad
            flush bad
            add bad 192.0.2.7 comment "was nomatch once"
            """);
    assertEquals(
        List.of(
            "192.0.2.0/24:2", "!192.0.2.9:3", "198.51.100.1:4", "198.51.100.2:4", "192.0.2.7:8"),
        r.entries);
    assertEquals(3, r.problems.size(), r.problems::toString);
  }

  @Test
  void mispListsAreReadByTheirTypeWhereverItStands() {
    String list = "{\"list\":[\"a.example\",\".b.example\",\"192.0.2.0/24\",7],\"type\":\"%s\"}";
    Reading r = Reading.of("misp", String.format(list, "hostname"));
    assertEquals(List.of("a.example:1", "b.example+:1", "192.0.2.0/24:1"), r.entries);
    assertEquals(1, r.problems.size(), r.problems::toString);
    assertTrue(r.totals.damage().isEmpty());
    assertTrue(Reading.of("misp", String.format(list, "regex")).totals.damage().isPresent());
    assertTrue(Reading.of("misp", "{\"list\":[\"a.example\"]}").totals.damage().isPresent());
    assertTrue(Reading.of("misp", "{\"type\":\"cidr\"}").totals.damage().isPresent());
  }

  @Test
  void zeekIntelReadsIndicatorsByTheirType() {
    Reading r =
        Reading.of(
            "zeek-intel",
            """
            #separator x
            #fields\tindicator\tindicator_type\tmeta.source
            192.0.2.1\tIntel::ADDR\tx
            192.0.2.0/24\tIntel::SUBNET\tx
            Spam.example\tIntel::DOMAIN\tx
            a@mail.example\tIntel::EMAIL\tx
            0123\tIntel::FILE_HASH\tx
            lonely
            spam.example\tIntel::ADDR\tx
            """);
    assertEquals(
        List.of("192.0.2.1:3", "192.0.2.0/24:4", "spam.example:5", "a@mail.example:6"), r.entries);
    assertEquals(2, r.problems.size(), r.problems::toString);
    assertTrue(Reading.of("zeek-intel", "192.0.2.1\tIntel::ADDR\n").totals.damage().isPresent());
  }
}
