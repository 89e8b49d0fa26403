package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries of client names, and of patterns, in the decision. */
class ClientNameEntriesTest {

  private static final String HOST = "h7.dyn.example.net";

  @TempDir Path directory;

  private World world() {
    return new World(directory)
        .feed("drop", Action.REJECT, "203.0.113.7", "bad.example", "eve@mixed.example");
  }

  private static Facts mail(String client, ClientName name, String sender) {
    return World.client(client)
        .withSeen(Seen.NOTHING.withName(name))
        .withSender(World.address(sender));
  }

  private static Facts named(String client, String sender) {
    return mail(client, new ClientName(HOST, State.CONFIRMED), sender);
  }

  private static void assertRefused(World world, Facts facts, String why) {
    assertInstanceOf(Verdict.Reject.class, world.decide(facts), why);
  }

  private static void assertPasses(World world, Facts facts, String why) {
    assertInstanceOf(Verdict.Accept.class, world.decide(facts), why);
  }

  @Test
  void anAllowedNamePardonsAsAnAllowedAddressDoes() {
    for (String line : new String[] {HOST, ".dyn.example.net", "h*.dyn.example.net", ".net"}) {
      World world = world().allow(line + " scope=client_name");
      assertPasses(world, named("203.0.113.7", "a@good.example"), line);
      assertPasses(world, named("203.0.113.7", "a@bad.example"), "and what it says");
      assertPasses(world, named("192.0.2.1", "eve@mixed.example"), "and who it says it is");
    }
    World other = world().allow("dyn.example.net scope=client_name");
    assertRefused(other, named("203.0.113.7", "a@good.example"), "a name alone is that host");
    for (String line : new String[] {"dyn.example.net", HOST, ".dyn.example.net"}) {
      World sender = world().allow(line, "other.example scope=client_name");
      assertRefused(sender, named("203.0.113.7", "a@good.example"), "an entry of senders");
    }
    World bound = world().allow(HOST + " scope=client_name from=192.0.2.0/24");
    assertRefused(bound, named("203.0.113.7", "a@good.example"), "from another network");
    assertPasses(bound, named("192.0.2.1", "a@bad.example"), "from this network");
  }

  @ParameterizedTest
  @EnumSource(value = State.class, names = "CONFIRMED", mode = EnumSource.Mode.EXCLUDE)
  void aNameThatIsNotConfirmedIsNone(State state) {
    ClientName claimed = new ClientName(HOST, state);
    World allowed = world().allow(".dyn.example.net scope=client_name");
    assertRefused(allowed, mail("203.0.113.7", claimed, "a@good.example"), "allow");
    World blocked = world().block(".dyn.example.net scope=client_name");
    assertPasses(blocked, mail("192.0.2.1", claimed, "a@good.example"), "block");
  }

  @Test
  void aBlockedNameRefusesTheClientAndNotASenderOfThatName() {
    World world = world().block(".dyn.example.net scope=client_name");
    Verdict.Reject refused =
        assertInstanceOf(Verdict.Reject.class, world.decide(named("192.0.2.1", "a@good.example")));
    assertEquals("client_name", refused.ground().check().key());
    assertPasses(
        world,
        mail("192.0.2.1", ClientName.UNKNOWN, "a@h7.dyn.example.net"),
        "a sender may be named so");
  }

  @Test
  void ofClientNamesTheNarrowerWinsAndAnAddressIsAnotherKind() {
    World narrower =
        world().block(".dyn.example.net scope=client_name").allow(HOST + " scope=client_name");
    assertPasses(narrower, named("192.0.2.1", "a@good.example"), "the host");
    World wider =
        world().block(HOST + " scope=client_name").allow(".dyn.example.net scope=client_name");
    assertRefused(wider, named("192.0.2.1", "a@good.example"), "the host is blocked");
    World address = world().block(HOST + " scope=client_name").allow("192.0.2.1");
    assertRefused(address, named("192.0.2.1", "a@good.example"), "another kind");
    World name = world().block("192.0.2.1").allow(HOST + " scope=client_name");
    assertRefused(name, named("192.0.2.1", "a@good.example"), "another kind");
    World sender = world().block("good.example").allow(HOST + " scope=client_name");
    assertRefused(sender, named("192.0.2.1", "a@good.example"), "another kind");
  }

  @Test
  void patternsOfSendersActAsTheirDomainsDo() {
    World blocked = world().block("offer-*@shop.example", ".dyn.example", ".top");
    ClientName none = ClientName.UNKNOWN;
    assertRefused(blocked, mail("192.0.2.1", none, "offer-7@shop.example"), "address");
    assertPasses(blocked, mail("192.0.2.1", none, "order-7@shop.example"), "another");
    assertRefused(blocked, mail("192.0.2.1", none, "x@a.dyn.example"), "below");
    assertPasses(blocked, mail("192.0.2.1", none, "x@dyn.example"), "at");
    assertRefused(blocked, mail("192.0.2.1", none, "x@any.top"), "top");
    World allowed = world().allow("*ve@mixed.example", "b*.bad.example", ".bad.example");
    assertPasses(allowed, mail("192.0.2.1", none, "eve@mixed.example"), "address");
    assertRefused(allowed, mail("203.0.113.7", none, "eve@mixed.example"), "never the client");
    World both = world().block("news-*@shop.example").allow("shop.example");
    assertRefused(both, mail("192.0.2.1", none, "news-1@shop.example"), "the pattern is narrower");
    World pardoned = world().block(".shop.example").allow("a.shop.example");
    assertPasses(pardoned, mail("192.0.2.1", none, "x@a.shop.example"), "the name is narrower");
  }
}
