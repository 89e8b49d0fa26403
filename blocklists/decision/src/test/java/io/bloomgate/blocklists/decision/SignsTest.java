package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.ip;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signs without a list: when a session shows them, what they ask for, and what lifts them. */
class SignsTest {

  private static final String IP = "203.0.113.7";
  private static final String OURS = "198.51.100.1";
  private static final String POOL = "host-203-0-113-7.isp.example";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void startEmpty() {
    world = new World(directory);
  }

  private static Facts facts(String helo, State state, String name, boolean early) {
    return session(IP, helo, "a@b.example.org")
        .withSeen(
            new Seen(
                new ClientName(name, state), HeloKeys.address(helo).orElse(null), ip(OURS), early));
  }

  private static Map<Sign, Action> all(Action action) {
    return Arrays.stream(Sign.values()).collect(Collectors.toMap(Function.identity(), s -> action));
  }

  private Set<String> found(Facts facts) {
    return world.decide(facts).grounds().standing().stream()
        .map(
            ground -> ((Ground.BySign) ground).sign().key() + " " + ((Ground.Found) ground).entry())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @CsvSource({
    "UNKNOWN, '', ''",
    "UNKNOWN, mail.b.example, ''",
    "NONE, '', no_reverse_name no reverse name",
    "UNCONFIRMED, mail.b.example, unconfirmed_name mail.b.example",
    "CONFIRMED, mail.b.example, ''",
    "CONFIRMED, host-203-0-113-7.isp.example, generic_name host-203-0-113-7.isp.example",
    "UNKNOWN, host-203-0-113-7.isp.example, generic_name host-203-0-113-7.isp.example",
  })
  void theNameOfTheAddress(State state, String name, String expected) {
    world.signs(all(Action.OBSERVE));
    assertEquals(
        expected.isEmpty() ? Set.of() : Set.of(expected),
        found(facts("mail.b.example", state, name, false)),
        "a name that DNS did not answer about is no sign");
  }

  @Test
  void anUnconfirmedNameOfAPoolShowsBoth() {
    world.signs(all(Action.OBSERVE));
    assertEquals(
        Set.of("generic_name " + POOL, "unconfirmed_name " + POOL),
        found(facts("mail.b.example", State.UNCONFIRMED, POOL, false)));
  }

  @ParameterizedTest
  @CsvSource({
    "mx.example.com, own_name_in_helo mx.example.com",
    "MX.Example.COM., own_name_in_helo mx.example.com",
    "example.com, own_name_in_helo example.com",
    "www.example.com, ''",
    "deep.example.net, own_name_in_helo deep.example.net",
    "example.org, ''",
    "[198.51.100.1], own_name_in_helo 198.51.100.1",
    "198.51.100.1, own_name_in_helo 198.51.100.1",
    "[203.0.113.7], ''",
    "203.0.113.7, ''",
    "[192.0.2.1], helo_literal_of_other 192.0.2.1",
    "192.0.2.1, helo_literal_of_other 192.0.2.1",
    "[IPv6:2001:db8::1], helo_literal_of_other 2001:db8::1",
    "[IPv6:::ffff:203.0.113.7], ''",
    "[2001:db8::1], ''",
    "[nonsense], ''",
    "localhost, ''",
  })
  void helo(String helo, String expected) {
    world.signs(all(Action.OBSERVE));
    assertEquals(
        expected.isEmpty() ? Set.of() : Set.of(expected),
        found(facts(helo, State.UNKNOWN, "", false)));
  }

  @Test
  void eachSignHasItsOwnActionAndTheStrongestDecides() {
    world.signs(
        Map.of(
            Sign.GENERIC_NAME, Action.TAG,
            Sign.EARLY_TALKER, Action.TEMPFAIL,
            Sign.OWN_NAME_IN_HELO, Action.REJECT));
    assertEquals(
        "tag client_name generic_name " + POOL,
        line(world.decide(facts("h.example.org", State.CONFIRMED, POOL, false))));
    assertEquals(
        "tempfail client_ip early_talker spoke before the banner",
        line(world.decide(facts("h.example.org", State.CONFIRMED, POOL, true))));
    assertEquals(
        "reject helo own_name_in_helo example.com",
        line(world.decide(facts("example.com", State.CONFIRMED, POOL, true))));
  }

  @Test
  void whatIsNotNamedIsNotSeen() {
    assertEquals(Set.of(), found(facts("example.com", State.NONE, "", true)));
    world.signs(Map.of(Sign.EARLY_TALKER, Action.OBSERVE));
    assertEquals(
        Set.of("early_talker spoke before the banner"),
        found(facts("example.com", State.NONE, "", true)));
    world.signs(Map.of(Sign.HELO_LITERAL_OF_OTHER, Action.OBSERVE));
    assertEquals(
        Set.of("helo_literal_of_other " + OURS),
        found(facts("[" + OURS + "]", State.NONE, "", true)),
        "our address is another's too");
  }

  /** Many copies alone change nothing; beside a listing a rule counts them. */
  @Test
  void bulkCountsBesideAListing() {
    world
        .feed("list", Action.OBSERVE, IP)
        .signs(Map.of(Sign.BULK, Action.OBSERVE))
        .any("many", 2, Action.REJECT, "list", "bulk");
    for (String client : List.of(IP, "203.0.113.8")) {
      for (int networks : List.of(0, 19, 20, 87)) {
        Facts facts = session(client, "h.example.org", "");
        Bulk bulk = networks == 0 ? null : new Bulk("c0ffee00", 312, networks);
        boolean isMet = client.equals(IP) && networks >= 20;
        assertEquals(
            isMet,
            world.decide(facts.withContent(bulk(bulk))) instanceof Verdict.Reject,
            client + " " + bulk);
      }
    }
    Facts many = session("203.0.113.8", "h.example.org", "");
    assertEquals(
        Set.of("bulk 312/87"), found(many.withContent(bulk(new Bulk("c0ffee00", 312, 87)))));
  }

  private static Content bulk(@Nullable Bulk copies) {
    return new Content(List.of(), Action.REJECT, copies, List.of());
  }

  @Test
  void allowEntriesExemptNetworksAndRecipientsAndProtectedSetsWin() {
    world.signs(all(Action.REJECT));
    Facts facts = facts("example.com", State.UNCONFIRMED, POOL, true);
    assertTrue(world.decide(facts) instanceof Verdict.Reject);
    assertEquals("accept", line(world.decide(to(facts, "postmaster"))));
    world.allow(IP);
    assertEquals("accept", line(world.decide(facts)));
    startEmpty();
    world.signs(all(Action.REJECT)).allow("b.example.org");
    assertTrue(world.decide(facts) instanceof Verdict.Reject, "anybody can claim a sender");
    startEmpty();
    world.signs(all(Action.REJECT)).allow("b.example.org from=203.0.113.0/24");
    assertEquals("accept", line(world.decide(facts)));
    startEmpty();
    world.signs(all(Action.REJECT)).exemptNetwork("203.0.113.0/24");
    assertEquals("accept", line(world.decide(facts)));
    startEmpty();
    world.signs(all(Action.REJECT)).protect("private", "203.0.113.0/24");
    assertEquals("accept", line(world.decide(facts)));
  }

  @Test
  void anAllowedAddressIsAllowedByItsName() {
    world.signs(Map.of(Sign.GENERIC_NAME, Action.REJECT)).allow(IP + " scope=client_ip");
    assertEquals(
        "accept", line(world.decide(facts("h.example.org", State.CONFIRMED, POOL, false))));
  }
}
