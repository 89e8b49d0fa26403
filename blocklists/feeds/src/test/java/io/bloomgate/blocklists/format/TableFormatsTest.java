package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Formats of tables, firewalls and sensors. */
class TableFormatsTest {

  @Test
  void ndjsonReadsOneMember() {
    Reading.expect(
        "ndjson:v",
        """
        {"v":"192.0.2.1"} => 192.0.2.1
        {"v":" Spam.example "} => spam.example
        {"w":"x"} => bad
        {"v":17} => bad
        [1] => bad
        {"v": => bad
        """);
  }

  @Test
  void rangeCsvTakesOneRowOfWordsForItsHeader() {
    String bad = " => bad: row that does not begin with two addresses\n";
    String good = "192.0.2.0,192.0.2.1 => 192.0.2.0/31\n";
    Reading.expect("range-csv", "# banner\nstart,end\nstart,end" + bad + good);
    Reading.expect("range-csv", "192.0.2.300,192.0.2.1" + bad + good);
  }

  @Test
  void rangeCsvReadsTwoColumns() {
    Reading.expect(
        "range-csv",
        """
        first,last,owner
        192.0.2.0,192.0.2.255,"A, B" => 192.0.2.0/24
        2001:db8::;2001:db8::1;x => 2001:db8::/127
        192.0.2.9,192.0.2.8,x => bad
        192.0.2.9,2001:db8::,x => bad
        lonely => bad
        """);
  }

  /** As `postmap -q` says: "non-null host address bits ... skipping this rule". */
  @Test
  void aRuleThatPostfixSkipsForItsHostBitsIsNoEntry() {
    for (String format : List.of("postfix-cidr", "postfix-access")) {
      String bad = " => bad: host bits are set: Postfix skips this rule\n";
      Reading.expect(
          format,
          "85.9.3.4/24 OK" + bad + "1.2.3.4/24 REJECT" + bad + "1.2.4.0/24 REJECT => 1.2.4.0/24\n");
    }
  }

  @Test
  void postfixAccessReadsSubjectsAsPostfixLooksThemUp() {
    Reading r =
        Reading.expect(
            "postfix-access",
            """
            # comment
            spam.example REJECT go => spam.example+
               away
            .below.example 550 5.7.1 no => *.below.example
            ok.example OK => !ok.example+
            num.example 12 => !num.example+
            bad@mail.example DISCARD => bad@mail.example
            good@mail.example DUNNO => !good@mail.example
            192.0.2.1 REJECT => 192.0.2.1
            198.51.100 REJECT => 198.51.100.0/24
            2001:db8:1 REJECT => 2001:db8:1::/48
            2001:db8::7 OK => !2001:db8::7
            postmaster@ OK
            odd.example FILTER x:y => bad: action that neither refuses nor permits
            empty.example => bad: entry without an action
            """);
    assertEquals(1, r.totals.skipped());
  }

  @Test
  void ipsetSaveReadsWhatIsAdded() {
    Reading.expect(
        "ipset-save",
        """
        create bad hash:net family inet hashsize 1024
        add bad 192.0.2.0/24 timeout 60 comment "x y" => 192.0.2.0/24
        add bad 192.0.2.9 nomatch => !192.0.2.9
        add bad 198.51.100.1-198.51.100.2 => 198.51.100.1, 198.51.100.2
        add ports 192.0.2.1,tcp:25 => bad
        add bad => bad
        flush bad => bad
        add bad 192.0.2.7 comment "was nomatch once" => 192.0.2.7
        """);
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
    Reading.expect(
        "zeek-intel",
        """
        #separator x
        #fields\tindicator\tindicator_type\tmeta.source
        192.0.2.1\tIntel::ADDR\tx => 192.0.2.1
        192.0.2.0/24\tIntel::SUBNET\tx => 192.0.2.0/24
        Spam.example\tIntel::DOMAIN\tx => spam.example
        a@mail.example\tIntel::EMAIL\tx => a@mail.example
        0123\tIntel::FILE_HASH\tx
        lonely => bad
        spam.example\tIntel::ADDR\tx => bad
        """);
    assertTrue(Reading.of("zeek-intel", "192.0.2.1\tIntel::ADDR\n").totals.damage().isPresent());
  }
}
