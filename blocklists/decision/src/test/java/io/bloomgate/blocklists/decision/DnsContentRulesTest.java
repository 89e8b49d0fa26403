package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.domain;
import static io.bloomgate.blocklists.decision.World.ip;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What DNS lists say of the content of a mail: what it does, and what lifts it. */
class DnsContentRulesTest {

  private static final Set<Check> CONTENT =
      EnumSet.of(Check.URL_HOST, Check.FROM_DOMAIN, Check.REPLY_TO_DOMAIN);
  private static final String CLIENT = "203.0.113.7";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void startEmpty() {
    world = new World(directory).feed("dbl", Action.REJECT, CONTENT);
  }

  private static DnsListing answer(ListKey subject, String zone, String answer, Place place) {
    return new DnsListing(
            "dbl", Check.URL_HOST, subject, zone, ip(answer), Duration.ofMinutes(1), World.NOW)
        .at(place);
  }

  private Verdict decide(DnsListing... answers) {
    return world.decide(session(CLIENT, "", "a@sender.example").withDns(List.of(answers)));
  }

  private static DnsListing listed() {
    return answer(domain("evil.example"), "dbl.example", "127.0.1.4", Place.OPEN);
  }

  @Test
  void itRefusesByItsAction() {
    assertEquals("reject url_host dbl 127.0.1.4 from dbl.example", line(decide(listed())));
  }

  @ParameterizedTest
  @CsvSource({
    "dbl.dq.spamhaus.net, 127.0.1.101, reject",
    "dbl.dq.spamhaus.net, 127.0.1.102, tag",
    "dbl.spamhaus.org, 127.0.1.106, tag",
    "dbl.spamhaus.org, 127.0.1.107, reject",
    "multi.example, 127.0.1.103, reject",
  })
  void abusedGoodNamesOfDblTagAtMost(String zone, String code, String verdict) {
    Verdict on = decide(answer(domain("shop.example"), zone, code, Place.OPEN));
    assertEquals(verdict, on.key());
    Ground.Found ground = (Ground.Found) on.decidedBy();
    assertEquals(
        verdict.equals("tag") ? Weakness.INDIRECT : Weakness.NONE,
        ground == null ? null : ground.weakness());
  }

  @Test
  void aListOfSendersTagsAtMostForTheAddressOfALink() {
    DnsListing link = answer(ip("198.51.100.7"), "zen.example", "127.0.0.2", Place.OPEN);
    assertEquals("reject", decide(link).key(), "a list of links counts in full");
    world = new World(directory);
    world.feed("dbl", Action.REJECT, EnumSet.of(Check.CLIENT_IP, Check.URL_HOST));
    assertEquals("tag url_host dbl 127.0.0.2 from zen.example", line(decide(link)));
  }

  @ParameterizedTest
  @CsvSource({"NESTED", "SCHEMELESS"})
  void whatIsNotTheSendersOwnTags(Place place) {
    DnsListing quoted = answer(domain("evil.example"), "dbl.example", "127.0.1.4", place);
    assertEquals("tag", decide(quoted).key());
    assertEquals("reject", decide(quoted, listed()).key());
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example, accept",
    "evil.example scope=url_host, accept",
    "evil.example scope=from_domain, reject",
    "other.example, reject",
    "203.0.113.0/24, accept",
    "evil.example from=203.0.113.0/24, accept",
    "evil.example from=198.51.100.0/24, reject",
    "sender.example, reject",
  })
  void allowEntriesLiftIt(String entry, String verdict) {
    world.allow(entry);
    assertEquals(verdict, decide(listed()).key());
    ContentKey link = new ContentKey(Check.URL_HOST, domain("evil.example"), Place.OPEN);
    Facts facts = session(CLIENT, "", "a@sender.example").carrying(link);
    assertEquals(
        verdict.equals("reject"),
        Gather.couldCount(
            facts,
            Check.URL_HOST,
            domain("evil.example"),
            world.lists(),
            world.policy(),
            World.NOW),
        "what is lifted is not asked");
  }

  @Test
  void aHostOfAProtectedNameIsNotAskedAbout() {
    world.protect("domains", "example.com");
    Facts facts = session(CLIENT, "", "a@sender.example");
    for (String host : List.of("example.com", "www.example.com", "a.b.example.com")) {
      assertEquals(
          false,
          Gather.couldCount(
              facts, Check.URL_HOST, domain(host), world.lists(), world.policy(), World.NOW),
          host);
    }
    assertEquals(
        true,
        Gather.couldCount(
            facts,
            Check.URL_HOST,
            domain("example.net"),
            world.lists(),
            world.policy(),
            World.NOW));
  }

  @Test
  void rulesCountItAndProfilesBoundIt() {
    world = new World(directory).feed("dbl", Action.OBSERVE, CONTENT);
    world.feed("drop", Action.OBSERVE, CLIENT).any("weak", 2, Action.REJECT, "dbl", "drop");
    assertEquals("reject client_ip weak drop,dbl", line(decide(listed())));
    world = new World(directory).feed("dbl", Action.REJECT, CONTENT);
    Facts mail = session(CLIENT, "", "a@sender.example").withDns(List.of(listed()));
    assertEquals("tag", world.decide(to(mail, "postmaster")).key());
    assertEquals("reject", world.decide(to(mail, "bob")).key());
  }
}
