package io.bloomgate.blocklists.operator.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.ListKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What foreign lists come to, line by line. */
class MigrationTest {

  private static Migration read(
      Origin origin, @Nullable Kind kind, @Nullable ListKind as, String text) {
    return Migration.of(new Request(origin, kind, as, ""), text.lines().toList());
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
            "2 block spam.example # with a reason",
            "4 allow good.spam.example",
            "6 allow ok.example",
            "7 block bad@ok.example # no forced",
            "8 block 198.51.100.0/24",
            "9 block .below.example"),
        taken(m));
    assertEquals(
        List.of(
            "5 DUNNO is skipped: exceptions are not supported; use allow",
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
        List.of("1 allow a.example # as text", "2 allow b.example", "3 allow c.example"),
        taken(good));
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

  /** As `postmap -q` says: "non-null host address bits ... skipping this rule". */
  @Test
  void aRuleThatPostfixSkipsForItsHostBitsIsLeft() {
    Migration m =
        read(
            Origin.POSTFIX,
            Kind.CLIENT,
            null,
            "85.9.3.4/24 OK\n1.2.3.4/24 REJECT\n2001:db8::1/32 REJECT\n85.9.3.0/24 REJECT\n");
    assertEquals(List.of("4 block 85.9.3.0/24"), taken(m));
    assertEquals(
        List.of(
            "1 host bits are set: Postfix skips this rule",
            "2 host bits are set: Postfix skips this rule",
            "3 host bits are set: Postfix skips this rule"),
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
        List.of("1 a mail address is not a client"),
        left(read(Origin.POSTFIX, Kind.CLIENT, null, "a@spam.example REJECT")));
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
        List.of(
            "2 block 192.0.2.0/24 # inline",
            "3 block spam.example",
            "4 block a#b@spam.example",
            "6 block .glob.example"),
        taken(rspamd));
    assertEquals(List.of(5, 7, 8, 9), rspamd.left().stream().map(Migration.Left::line).toList());
    Migration haraka =
        read(Origin.HARAKA, null, ListKind.BLOCK, "spam.example\n!good@spam.example\n");
    assertEquals(List.of("1 block spam.example", "2 allow good@spam.example"), taken(haraka));
  }

  private static Migration read(
      Origin origin, Kind kind, @Nullable ListKind as, String file, String text) {
    return Migration.of(new Request(origin, kind, as, file), text.lines().toList());
  }

  /** Old maps are full of them. */
  @Test
  void keysAsOtherSoftwareWritesThem() {
    Migration clients =
        read(
            Origin.RSPAMD,
            Kind.CLIENT,
            ListKind.ALLOW,
            "addresses.map",
            """
            [2001:db8:5::7]
            192.0.2.1-192.0.2.4 # printers
            192.0.2.16/255.255.255.240
            198.51.100.0/255.0.255.0
            192.0.2.13;
            192.0.2.9-192.0.2.8
            """);
    assertEquals(
        List.of(
            "1 allow 2001:db8:5::7 # addresses.map:1",
            "2 allow 192.0.2.1 # printers (addresses.map:2)",
            "2 allow 192.0.2.2/31 # printers (addresses.map:2)",
            "2 allow 192.0.2.4 # printers (addresses.map:2)",
            "3 allow 192.0.2.16/28 # addresses.map:3",
            "5 allow 192.0.2.13 # addresses.map:5"),
        taken(clients));
    assertEquals(List.of(4, 6), clients.left().stream().map(Migration.Left::line).toList());
    Migration table =
        read(
            Origin.POSTFIX,
            Kind.CLIENT,
            null,
            "client_access",
            "[::1]/128 permit\n[2001:db8::]/48 REJECT spam\n[192.0.2.6] OK\n");
    assertEquals(
        List.of(
            "1 allow ::1 # client_access:1",
            "2 block 2001:db8::/48 # spam (client_access:2)",
            "3 allow 192.0.2.6 # client_access:3"),
        taken(table));
  }

  @Test
  void domainsAndLiteralsAsOtherSoftwareWritesThem() {
    String text =
        """
        /^joe@a-sample\\.com$/i
        /.+@b-sample\\.com$/i
        /@c-sample\\.com$/
        /^[^@]+@d-sample\\.com$/
        /(^|\\.)e-sample\\.com$/
        @f-sample.com
        *@g-sample.com
        .h-sample.com
        *.i-sample.com
        *@*.j-sample.com
        /^k@k-sample\\.(com|net)$/
        /l-sample\\.com/
        /m-sample\\.com$/
        a*@n-sample.com
        /.*\\.o-sample\\.com$/
        a?@p-sample.com
        """;
    Migration m = read(Origin.RSPAMD, Kind.SENDER, ListKind.BLOCK, text);
    assertEquals(
        List.of(
            "1 block joe@a-sample.com",
            "2 block b-sample.com",
            "3 block c-sample.com",
            "4 block d-sample.com",
            "5 block e-sample.com",
            "6 block f-sample.com",
            "7 block g-sample.com",
            "8 block .h-sample.com",
            "9 block .i-sample.com",
            "10 block .j-sample.com",
            "14 block pattern:a*@n-sample.com",
            "15 block .o-sample.com"),
        taken(m));
    assertEquals(List.of(11, 12, 13, 16), m.left().stream().map(Migration.Left::line).toList());
    assertEquals(
        List.of(
            "6 lines (first line 2) name the addresses of a domain alone; an entry is the domain,"
                + " its addresses and all names below it"),
        m.notes());
  }

  @Test
  void preferencesOfSpamAssassinSayTheirList() {
    String text =
        """
        whitelist_from *@good-sample.com friend@x-sample.com
        whitelist_from news-*@shop-sample.com *@*.below-sample.com
        whitelist_from_rcvd *@pay-sample.com pay-sample.com
        blacklist_from bad@x-sample.com
        blocklist_from *@worse-sample.com
        score FOO 5
        """;
    Migration m = read(Origin.LINES, Kind.SENDER, ListKind.BLOCK, text);
    assertEquals(
        List.of(
            "1 allow good-sample.com",
            "1 allow friend@x-sample.com",
            "2 allow pattern:news-*@shop-sample.com",
            "2 allow .below-sample.com",
            "4 block bad@x-sample.com",
            "5 block worse-sample.com"),
        taken(m));
    assertEquals(List.of(3, 6), m.left().stream().map(Migration.Left::line).toList());
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
