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
        Reading.of(
            "adblock",
            """
            [Adblock Plus 2.0]
            ! comment
            # comment of another format
            ||Spam.example^
            ||doc.example^$document,popup
            ||script.example^$script
            ||third.example^$third-party
            ||path.example/ad^
            ||wild*.example^
            @@||good.example^
            @@||page.example^$elemhide
            ||192.0.2.7^
            page.example##.banner
            /banner[0-9]+/
            plain.example
            ||redacted@redacted.invalid^
            ||again.example^$badfilter
            address=/other.example/0.0.0.0
            ["array.example"]
            """);
    assertEquals(
        List.of(
            "spam.example+:4",
            "doc.example+:5",
            "!good.example+:10",
            "192.0.2.7:12",
            "plain.example:15"),
        r.entries);
    assertEquals(4, r.problems.size(), r.problems::toString);
    assertEquals(8, r.totals.skipped());
  }

  @Test
  void dnsmasqTakesWhatGoesNowhere() {
    Reading r =
        Reading.of(
            "dnsmasq",
            """
            # comment
            address=/a.example/#
            address=/b.example/c.example/0.0.0.0
            local=/d.example/
            server=/.e.example/
            server=/forwarded.example/192.0.2.53
            address=/moved.example/192.0.2.80
            server=/kept.example/#
            server=/inside.example/127.0.0.1
            address=/real.example/192.0.2.1 # see https://vendor.example/
            address=/f.example/0.0.0.0 # why
            cache-size=1000
            address=/bad..example/::
            """);
    assertEquals(
        List.of(
            "a.example+:2",
            "b.example+:3",
            "c.example+:3",
            "d.example+:4",
            "e.example+:5",
            "!kept.example+:8",
            "f.example+:11"),
        r.entries);
    assertEquals(6, r.problems.size(), r.problems::toString);
    assertEquals(0, r.totals.skipped());
  }

  @Test
  void unboundTakesZonesByTheirType() {
    Reading r =
        Reading.of(
            "unbound",
            """
            server:
              local-zone: "a.example." always_null
              local-zone: b.example refuse # why
              local-zone: "c.example" transparent
              local-data: "a.example A 0.0.0.0"
              local-zone: "d.example" sometimes
              local-zone: "e.example"
            """);
    assertEquals(
        List.of("a.example+:2", "b.example+:3", "!c.example+:4", "a.example:5"), r.entries);
    assertEquals(2, r.problems.size(), r.problems::toString);
  }

  @Test
  void unboundZonesWithRealAddressesListNothing() {
    Reading r =
        Reading.of(
            "unbound",
            """
            local-zone: "intranet.example" static
            local-zone: "blocked.example" redirect
            local-data: "blocked.example A 0.0.0.0"
            local-zone: "moved.example" redirect
            local-data: "moved.example. 3600 IN A 192.0.2.80"
            local-data: 'www.intranet.example. IN AAAA 2001:db8::80'
            local-zone: "denied.example" always_nxdomain
            local-data: "denied.example A 192.0.2.81"
            local-zone: "text.example" static
            local-data: 'text.example TXT "192.0.2.1"'
            """);
    assertEquals(
        List.of("blocked.example:3", "denied.example+:7", "blocked.example+:2", "text.example+:9"),
        r.entries);
    String zone = "local-zone that is answered with real addresses";
    String data = "local-data with a real address";
    assertEquals(
        List.of(
            "5:" + data,
            "4:" + zone,
            "6:" + data,
            "1:" + zone,
            "8:" + data,
            "10:no local-zone, and no local-data with an address"),
        r.problems);
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
    Reading r = Reading.of("wildcard", "*.a.example\n.b.example # x\nc.example\n*.com\n*\n");
    assertEquals(List.of("a.example+:1", "b.example+:2", "c.example+:3"), r.entries);
    assertEquals(2, r.problems.size(), r.problems::toString);
  }

  @Test
  void urlsGiveTheirHost() {
    Reading r =
        Reading.of(
            "urls",
            """
            https://User:pw@Host.example:8443/a/b?c=d#e
            http://192.0.2.1:8080
            http://[2001:db8::1]:80/x
            hxxp://what.example\\@good.example/
            ftp://f.example?x@y.example
            bare.example/path
            https:///nohost
            """);
    assertEquals(
        List.of("host.example:1", "192.0.2.1:2", "2001:db8::1:3", "what.example:4", "f.example:5"),
        r.entries);
    assertEquals(2, r.problems.size(), r.problems::toString);
  }

  @Test
  void responsePolicyZonesKnowTheirOwnNameAndTheirPolicies() {
    Reading r =
        Reading.of(
            "rpz",
            """
            $TTL 60
            rpz.test. IN SOA ns.rpz.test. root.rpz.test. ( 1 ; serial
              3600 600 86400 300 )
              IN NS ns.rpz.test.
            $ORIGIN rpz.test.
            a.example 60 IN CNAME .
            *.a.example CNAME .
            b.example.rpz.test. CNAME *.
            c.example CNAME rpz-passthru.
            d.example CNAME d.example.
            e.example CNAME walled.garden.test.
            f.example A 0.0.0.0
            g.example A 192.0.2.80
            24.0.2.0.192.rpz-ip CNAME .
            128.1.zz.db8.2001.rpz-client-ip CNAME rpz-passthru.
            ns.example.rpz-nsdname CNAME .
            h.example CNAME rpz-tcp-only.
            old.example.rpz.test. CNAME old.example.
            $ORIGIN sub.example.rpz.test.
            i CNAME .
            *.com CNAME .
            """);
    assertEquals(
        List.of(
            "a.example:6",
            "*.a.example:7",
            "b.example:8",
            "!c.example:9",
            "!d.example:10",
            "f.example:12",
            "192.0.2.0/24:14",
            "!2001:db8::1:15",
            "!old.example:18",
            "i.sub.example:20",
            "*.com.sub.example:21"),
        r.entries);
    String local = "local data, which refuses nothing";
    assertEquals(List.of("11:" + local, "13:" + local), r.problems);
  }

  @Test
  void aZoneWithoutSoaTakesItsNamesAsTheyAre() {
    Reading r = Reading.of("rpz", "a.example CNAME .\n*.a.example. CNAME .\n");
    assertEquals(List.of("a.example:1", "*.a.example:2"), r.entries);
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
    Reading r =
        Reading.of(
            "rpz",
            """
            RPZ.Test. IN SOA ns.test. root.test. 1 3600 600 86400 300
            $ORIGIN rpz.TEST.
            a.example CNAME .
            $ORIGIN uk
            b.co CNAME .
            @ CNAME .
            $ORIGIN co
            c CNAME .
            $ORIGIN Org.Rpz.test.
            d CNAME .
            $ORIGIN rpz.test.
            e.example.RPZ.test. CNAME .
            """);
    assertEquals(
        List.of("a.example:3", "b.co.uk:5", "c.co.uk:8", "d.org:10", "e.example:12"), r.entries);
    assertEquals(List.of("6"), r.problems.stream().map(p -> p.replaceAll(":.*", "")).toList());
    Reading unnamed = Reading.of("rpz", "@ SOA a. b. 1 2 3 4 5\n$ORIGIN uk\nb.co CNAME .\n");
    assertEquals(List.of("b.co.uk:3"), unnamed.entries);
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
    Reading r =
        Reading.of(
            "rbldnsd",
            """
            $SOA 3600 ns.test. root.test. 1 600 300 86400 300
            $MAXRANGE4 /16
            :127.0.0.2:text $
            127.0.0.2 test
            192.0.2
            198.51.100.16-31 :4:x
            198.51.100.7/31 text
            10/8
            127.16-127.17
            203.0.113.9-8
            !192.0.2.9
            2001:db8:1/48
            2001:db8:1:2
            !2001:db8:1:2::3
            exact.example
            .both.example text
            *.below.example
            !.not.example
            """);
    assertEquals(
        List.of(
            "192.0.2.0/24:5",
            "198.51.100.16/28:6",
            "198.51.100.6/31:7",
            "!192.0.2.9:11",
            "2001:db8:1::/48:12",
            "2001:db8:1:2::/64:13",
            "!2001:db8:1:2::3:14",
            "exact.example:15",
            "both.example+:16",
            "*.below.example:17",
            "!not.example+:18"),
        r.entries);
    assertEquals(
        List.of(
            "8:wider than the zone's own $MAXRANGE4",
            "9:wider than the zone's own $MAXRANGE4",
            "10:range that ends before it begins"),
        r.problems);
  }

  @Test
  void ofACombinedZoneOnlyWhatIsServedAtItsNameBlocks() {
    Reading r =
        Reading.of(
            "rbldnsd:combined",
            """
            $DATASET dnset:bad bad @
            192.example
            $DATASET ip4set:wl white
            192.0.2.1
            $DATASET generic:x @
            x A 192.0.2.1
            $DATASET ip6trie @
            2001:db8::/32
            """);
    assertEquals(List.of("192.example:2", "2001:db8::/32:8"), r.entries);
    assertEquals(1, r.problems.size(), r.problems::toString);
  }
}
