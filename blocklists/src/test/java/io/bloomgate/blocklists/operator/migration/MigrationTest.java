package io.bloomgate.blocklists.operator.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What foreign lists come to, line by line. */
class MigrationTest {

  private static Migration read(
      Origin origin, @Nullable Kind kind, @Nullable ListKind as, String text) {
    return Migration.of(new Request(origin, kind, as), text.lines().toList());
  }

  private static List<String> taken(Migration migration) {
    return migration.taken().stream()
        .map(t ->
            t.line()
                + " "
                + t.entry().list().name().toLowerCase(Locale.ROOT)
                + " "
                + OperatorText.format(t.entry())
                + (t.forced() ? " forced" : ""))
        .toList();
  }

  private static List<String> left(Migration migration) {
    return migration.left().stream().map(l -> l.line() + " " + l.reason()).toList();
  }

  @Test
  void anAccessTable() {
    Migration m =
        read(
            Origin.POSTFIX,
            null,
            null,
            """
            # comment
            spam.example REJECT
               with a reason
            good.spam.example DUNNO
            lone.example DUNNO
            ok.example OK
            bad@ok.example 550 no
            198.51.100 REJECT
            .below.example REJECT
            postmaster@ OK
            <> REJECT
            odd.example FILTER x:y
            empty.example
            spam.example OK
            passed.ok.example DUNNO
            """);
    assertEquals(
        List.of(
            "2 block spam.example",
            "4 allow good.spam.example",
            "6 allow ok.example",
            "7 block bad@ok.example forced",
            "8 block 198.51.100.0/24"),
        taken(m));
    assertEquals(
        List.of(
            "5 DUNNO is skipped: exceptions are not supported; use allow",
            "9 reaches below the name only; an operator entry is the name with all below",
            "10 a local part at any domain is not supported",
            "11 the null sender is never compared with lists",
            "12 action that neither refuses nor permits",
            "13 entry without an action",
            "14 never reached: line 2 matches first",
            "15 DUNNO is skipped: exceptions are not supported; use allow"),
        left(m));
  }

  /** Postfix refuses with these what does not come from its own users: the opposite of an allow. */
  @Test
  void aListOfRestrictionsIsNoAllowEntry() {
    String lists =
        """
        a.example permit_mynetworks, reject
        b.example permit_sasl_authenticated reject
        c.example PERMIT_MYNETWORKS
        d.example permit, reject
        e.example permit reject
        f.example reject_unknown_client_hostname
        g.example OK,reject
        h.example local_only, reject
        """;
    Migration m = read(Origin.POSTFIX, null, null, lists);
    assertEquals(List.of(), taken(m));
    assertEquals(
        IntStream.rangeClosed(1, 8)
            .mapToObj(line -> line + " lists of restrictions are not supported")
            .toList(),
        left(m));
    Migration good =
        read(
            Origin.POSTFIX,
            Kind.SENDER,
            null,
            """
            a.example OK as text
            b.example permit
            c.example 1234567
            d.example 550
            """);
    assertEquals(
        List.of("1 allow a.example", "2 allow b.example", "3 allow c.example"), taken(good));
    assertEquals(
        List.of("4 a code without a text is OK for Postfix; write REJECT if it is to refuse"),
        left(good));
    assertEquals(List.of(), good.notes());
  }

  @Test
  void whatAnEntryDoesInAnotherWayIsNoted() {
    String table =
        """
        192.0.2.1 REJECT
        192.0.2.2 450 4.7.1 later
        bad.example DEFER
        good.example OK
        192.0.2.3 DISCARD
        """;
    assertEquals(
        List.of(
            "3 lines (first line 2) refuse for now or drop the mail in Postfix; their blocks"
                + " refuse for good, with 554",
            "2 names (first in line 3) are taken as domains of senders and as HELO names;"
                + " add --kind client, helo or sender to say what the table is compared with"),
        read(Origin.POSTFIX, null, null, table).notes());
    assertEquals(
        List.of(
            "1 line (first line 1) refuses for now or drops the mail in Postfix; its block refuses"
                + " for good, with 554"),
        read(Origin.POSTFIX, Kind.HELO, null, "bad.example DEFER_IF_PERMIT\n").notes());
    assertEquals(List.of(), read(Origin.LINES, null, ListKind.BLOCK, "bad.example").notes());
  }

  @Test
  void ofACidrTableTheFirstMatchCounts() {
    Migration m =
        read(
            Origin.POSTFIX,
            Kind.CLIENT,
            null,
            """
            192.0.2.7/32 permit
            192.0.2.0/24 reject
            192.0.2.9/32 permit
            if 198.51.100.0/24
            198.51.100.1 reject
            endif
            !203.0.113.0/24 reject
            2001:db8::/32 REJECT
            """);
    assertEquals(
        List.of("1 allow 192.0.2.7", "2 block 192.0.2.0/24", "8 block 2001:db8::/32"), taken(m));
    assertEquals(
        List.of(
            "3 never reached: line 2 matches first",
            "4 conditions are not supported",
            "5 is under a condition; conditions are not supported",
            "6 conditions are not supported",
            "7 is under a condition; conditions are not supported"),
        left(m));
  }

  @Test
  void theBeginningOfAnAddressMakesATableOfTheMostSpecificKey() {
    Migration m = read(Origin.POSTFIX, Kind.CLIENT, null, "198.51.100 REJECT\n198.51.100.7 OK\n");
    assertEquals(List.of("1 block 198.51.100.0/24", "2 allow 198.51.100.7"), taken(m));
    assertEquals(List.of(), left(m));
  }

  @Test
  void whatTheKindCannotHoldIsLeft() {
    assertEquals(
        List.of("1 a client is known by its address; its name would need DNS"),
        left(read(Origin.POSTFIX, Kind.CLIENT, null, "spam.example REJECT")));
    assertEquals(
        List.of("1 a network is not a sender"),
        left(read(Origin.LINES, Kind.SENDER, ListKind.BLOCK, "192.0.2.1")));
    assertEquals(
        List.of("1 block friend.example scope=helo"),
        taken(read(Origin.LINES, Kind.HELO, ListKind.BLOCK, "friend.example")));
  }

  @Test
  void mapsOfRspamdAndHaraka() {
    Migration rspamd =
        read(
            Origin.RSPAMD,
            null,
            ListKind.BLOCK,
            """
            # comment
            192.0.2.0/24 # inline
            spam.example
            a#b@spam.example
            /^spam/i
            *.glob.example
            scored.example 5.0
            !192.0.2.9
            spam.example
            """);
    assertEquals(
        List.of("2 block 192.0.2.0/24", "3 block spam.example", "4 block a#b@spam.example"),
        taken(rspamd));
    assertEquals(List.of(5, 6, 7, 8, 9), rspamd.left().stream().map(Migration.Left::line).toList());
    Migration haraka =
        read(Origin.HARAKA, null, ListKind.BLOCK, "spam.example\n!good@spam.example\n");
    assertEquals(List.of("1 block spam.example", "2 allow good@spam.example"), taken(haraka));
  }

  @Test
  void aFileThatDoesNotSayItsListNeedsOne() {
    assertThrows(
        IllegalArgumentException.class, () -> read(Origin.RSPAMD, null, null, "spam.example"));
  }

  @Test
  void webAddressIsNoComment() {
    Migration m =
        read(
            Origin.LINES,
            null,
            ListKind.BLOCK,
            """
            // a comment, and see below
            //comment
            //evil4.example/login scope=url
            //evil5.example
            https://evil6.example/a
            """);
    String reason = " // begins comments here, and web addresses; write https:// for these";
    assertEquals(List.of("3" + reason, "4" + reason), left(m));
    assertEquals(List.of("5 block //evil6.example/a"), taken(m));
  }
}
