package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Formats of lists for browsers and DNS servers: what lists a name, what excepts it, what neither.
 */
class DnsFilterFormatsTest {

  @Test
  void adblockTakesWholeNamesOnly() {
    Reading r =
        Reading.expect(
            "adblock",
            """
            [Adblock Plus 2.0]
            ! comment
            # comment of another format
            ||Spam.example^ => spam.example+
            ||doc.example^$document,popup => doc.example+
            ||script.example^$script
            ||third.example^$third-party
            ||path.example/ad^
            ||wild*.example^
            @@||good.example^ => !good.example+
            @@||page.example^$elemhide
            ||192.0.2.7^ => 192.0.2.7
            page.example##.banner
            /banner[0-9]+/
            plain.example => plain.example
            ||redacted@redacted.invalid^ => bad
            ||again.example^$badfilter => bad
            address=/other.example/0.0.0.0 => bad
            ["array.example"] => bad
            """);
    assertEquals(8, r.totals.skipped());
  }

  @Test
  void dnsmasqTakesWhatGoesNowhere() {
    Reading r =
        Reading.expect(
            "dnsmasq",
            """
            # comment
            address=/a.example/# => a.example+
            address=/b.example/c.example/0.0.0.0 => b.example+, c.example+
            local=/d.example/ => d.example+
            server=/.e.example/ => e.example+
            server=/forwarded.example/192.0.2.53 => bad
            address=/moved.example/192.0.2.80 => bad
            server=/kept.example/# => !kept.example+
            server=/inside.example/127.0.0.1 => bad
            address=/real.example/192.0.2.1 # see https://vendor.example/ => bad
            address=/f.example/0.0.0.0 # why => f.example+
            cache-size=1000 => bad
            address=/bad..example/:: => bad
            """);
    assertEquals(0, r.totals.skipped());
  }

  @Test
  void unboundTakesZonesByTheirType() {
    Reading.expect(
        "unbound",
        """
        server:
          local-zone: "a.example." always_null => a.example+
          local-zone: b.example refuse # why => b.example+
          local-zone: "c.example" transparent => !c.example+
          local-data: "a.example A 0.0.0.0" => a.example
          local-zone: "d.example" sometimes => bad
          local-zone: "e.example" => bad
        """);
  }

  @Test
  void unboundZonesWithRealAddressesListNothing() {
    Reading.expect(
        "unbound",
        """
        local-zone: "intranet.example" static => bad: local-zone that is answered with real addresses
        local-zone: "blocked.example" redirect => blocked.example+
        local-data: "blocked.example A 0.0.0.0" => blocked.example
        local-zone: "moved.example" redirect => bad: local-zone that is answered with real addresses
        local-data: "moved.example. 3600 IN A 192.0.2.80" => bad: local-data with a real address
        local-data: 'www.intranet.example. IN AAAA 2001:db8::80' => bad: local-data with a real address
        local-zone: "denied.example" always_nxdomain => denied.example+
        local-data: "denied.example A 192.0.2.81" => bad: local-data with a real address
        local-zone: "text.example" static => text.example+
        local-data: 'text.example TXT "192.0.2.1"' => bad: no local-zone, and no local-data with an address
        """);
  }

  @Test
  void unboundZonesKnowTheirDataWhereverItStands() {
    StringBuilder text = new StringBuilder("local-data: \"www.before.example A 192.0.2.80\"\n");
    text.append("local-zone: \"before.example\" static\n");
    text.append("local-zone: \"behind.example\" static\n");
    for (int i = 0; i < 5000; i++) {
      text.append(
          "local-zone: \"x" + i + ".example\" " + (i % 2 == 0 ? "static" : "refuse") + "\n");
    }
    text.append("local-data: \"behind.example A 192.0.2.81\"\n");
    Reading r = Reading.of("unbound", text.toString());
    assertEquals(5000, r.entries.size());
    assertEquals(List.of(), r.entries.stream().filter(e -> e.startsWith("be")).toList());
  }

  @Test
  void wildcardsReachBelowHoweverTheyAreWritten() {
    Reading.expect(
        "wildcard",
        """
        *.a.example => a.example+
        .b.example # x => b.example+
        c.example => c.example+
        *.com => bad
        * => bad
        """);
  }

  @Test
  void urlsGiveTheirHost() {
    Reading.expect(
        "urls",
        """
        https://User:pw@Host.example:8443/a/b?c=d#e => host.example
        http://192.0.2.1:8080 => 192.0.2.1
        http://[2001:db8::1]:80/x => 2001:db8::1
        hxxp://what.example\\@good.example/ => what.example
        ftp://f.example?x@y.example => f.example
        bare.example/path => bad
        https:///nohost => bad
        """);
  }

  @Test
  void responsePolicyZonesKnowTheirOwnNameAndTheirPolicies() {
    Reading.expect(
        "rpz",
        """
        $TTL 60
        rpz.test. IN SOA ns.rpz.test. root.rpz.test. ( 1 ; serial
          3600 600 86400 300 )
          IN NS ns.rpz.test.
        $ORIGIN rpz.test.
        a.example 60 IN CNAME . => a.example
        *.a.example CNAME . => *.a.example
        b.example.rpz.test. CNAME *. => b.example
        c.example CNAME rpz-passthru. => !c.example
        d.example CNAME d.example. => !d.example
        e.example CNAME walled.garden.test. => bad: local data, which refuses nothing
        f.example A 0.0.0.0 => f.example
        g.example A 192.0.2.80 => bad: local data, which refuses nothing
        24.0.2.0.192.rpz-ip CNAME . => 192.0.2.0/24
        128.1.zz.db8.2001.rpz-client-ip CNAME rpz-passthru. => !2001:db8::1
        ns.example.rpz-nsdname CNAME .
        h.example CNAME rpz-tcp-only.
        old.example.rpz.test. CNAME old.example. => !old.example
        $ORIGIN sub.example.rpz.test.
        i CNAME . => i.sub.example
        *.com CNAME . => *.com.sub.example
        """);
  }

  @Test
  void aZoneWithoutSoaTakesItsNamesAsTheyAre() {
    Reading.expect("rpz", "a.example CNAME . => a.example\n*.a.example. CNAME . => *.a.example\n");
  }

  @Test
  void anUnclosedParenthesisDamagesTheZone() {
    Reading r =
        Reading.of("rpz", "a.example CNAME .\nb.example CNAME . ( oops\nc.example CNAME .\n");
    assertEquals(List.of("a.example:1"), r.entries);
    assertEquals("line 2: parenthesis that is not closed", r.totals.damage().orElseThrow());
  }

  @Test
  void originsAreRelativeToTheOneBefore() {
    Reading.expect(
        "rpz",
        """
        RPZ.Test. IN SOA ns.test. root.test. 1 3600 600 86400 300
        $ORIGIN rpz.TEST.
        a.example CNAME . => a.example
        $ORIGIN uk
        b.co CNAME . => b.co.uk
        @ CNAME . => bad: single label, too broad for a list
        $ORIGIN co
        c CNAME . => c.co.uk
        $ORIGIN Org.Rpz.test.
        d CNAME . => d.org
        $ORIGIN rpz.test.
        e.example.RPZ.test. CNAME . => e.example
        """);
    Reading.expect("rpz", "@ SOA a. b. 1 2 3 4 5\n$ORIGIN uk\nb.co CNAME . => b.co.uk\n");
  }

  /** Neither the name itself nor what is below another is what the list says. */
  @Test
  void whatIsBelowANameStaysBelowItWhateverTheMatchMode() {
    byte[] zone = "*.a.example CNAME .\nb.example CNAME .\n".getBytes(UTF_8);
    assertEquals(
        List.of("*.a.example:1", "b.example:2"), Reading.of("rpz", zone, Match.EXACT).entries);
    assertEquals(
        List.of("*.a.example:1", "b.example+:2"), Reading.of("rpz", zone, Match.SUFFIX).entries);
  }

  @Test
  void rbldnsdReadsEveryFormOfRange() {
    Reading.expect(
        "rbldnsd",
        """
        $SOA 3600 ns.test. root.test. 1 600 300 86400 300
        $MAXRANGE4 /16
        :127.0.0.2:text $
        127.0.0.2 test
        192.0.2 => 192.0.2.0/24
        198.51.100.16-31 :4:x => 198.51.100.16/28
        198.51.100.7/31 text => 198.51.100.6/31
        10/8 => bad: wider than the zone's own $MAXRANGE4
        127.16-127.17 => bad: wider than the zone's own $MAXRANGE4
        203.0.113.9-8 => bad: range that ends before it begins
        !192.0.2.9 => !192.0.2.9
        2001:db8:1/48 => 2001:db8:1::/48
        2001:db8:1:2 => 2001:db8:1:2::/64
        !2001:db8:1:2::3 => !2001:db8:1:2::3
        exact.example => exact.example
        .both.example text => both.example+
        *.below.example => *.below.example
        !.not.example => !not.example+
        """);
  }

  @Test
  void ofACombinedZoneOnlyWhatIsServedAtItsNameBlocks() {
    Reading.expect(
        "rbldnsd:combined",
        """
        $DATASET dnset:bad bad @
        192.example => 192.example
        $DATASET ip4set:wl white
        192.0.2.1
        $DATASET generic:x @ => bad
        x A 192.0.2.1
        $DATASET ip6trie @
        2001:db8::/32 => 2001:db8::/32
        """);
  }
}
