package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Grounds.FilterHit;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What of the rules of decision in gateway/README.md no story can tell: ages to the millisecond,
 * and reads that fail.
 */
class FeedRulesTest {

  private static final String IP = "203.0.113.7";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void startEmpty() {
    world = new World(directory);
  }

  private String decide(String client, String helo, String from) {
    return line(world.decide(session(client, helo, from)));
  }

  @Test
  void heloThatIsNoNameGivesNoKey() {
    for (String helo : List.of("localhost", "a b", "[192.0.2.300]", "[2001:db8::1]", "[", "")) {
      assertTrue(HeloKeys.parse(helo).isEmpty(), helo);
    }
  }

  @Test
  void staleFeedsTagAndExpiredFeedsObserve() {
    world.feed("drop", Action.REJECT, IP).feed("slow", Action.TEMPFAIL, "192.0.2.1");
    Duration stale = Duration.ofDays(3);
    Duration expire = Duration.ofDays(14);
    world.aged("drop", stale, stale, expire).aged("slow", stale, stale, expire);
    assertEquals("reject client_ip drop 203.0.113.7", decide(IP, "", ""));
    assertEquals("tempfail client_ip slow 192.0.2.1", decide("192.0.2.1", "", ""));
    Duration later = stale.plusMillis(1);
    world.aged("drop", later, stale, expire).aged("slow", later, stale, expire);
    assertEquals("tag client_ip drop 203.0.113.7", decide(IP, "", ""));
    assertEquals("tag client_ip slow 192.0.2.1", decide("192.0.2.1", "", ""));
    world.aged("drop", expire, stale, expire);
    assertEquals("tag client_ip drop 203.0.113.7", decide(IP, "", ""));
    world.aged("drop", expire.plusMillis(1), stale, expire);
    Verdict verdict = world.decide(client(IP));
    assertEquals("accept", line(verdict));
    assertEquals(1, verdict.grounds().standing().size(), "still reported");
  }

  private static ListSnapshot answering(Function<ListKey, ListAnswer> answers) {
    return new ListSnapshot() {
      @Override
      public long generation() {
        return 5;
      }

      @Override
      public ListAnswer ask(ListKey key) {
        return answers.apply(key);
      }
    };
  }

  @Test
  void aFilterHitAloneIsHarmless() {
    world.snapshot(answering(key -> new ListAnswer.FalsePositive("ip")));
    Verdict verdict = world.decide(session(IP, "h.example", ""));
    assertInstanceOf(Verdict.Accept.class, verdict);
    assertEquals(
        List.of(new FilterHit(Check.CLIENT_IP, "ip"), new FilterHit(Check.HELO, "ip")),
        verdict.grounds().falsePositives());
    assertEquals(5, verdict.grounds().generation());
  }

  private ListSnapshot failingForNames() {
    ListSnapshot real = world.snapshot();
    return answering(key -> {
      if (key instanceof IpAddress) {
        return real.ask(key);
      }
      throw new InternalError("a fault occurred in an unsafe memory access operation");
    });
  }

  @Test
  void aFailedReadIsDecidedByOnError() {
    world.feed("drop", Action.REJECT, IP);
    world.snapshot(failingForNames());
    Verdict accept = world.decide(session("192.0.2.1", "h.example", ""));
    assertEquals("accept", line(accept));
    Ground.Failed failed =
        assertInstanceOf(Ground.Failed.class, accept.grounds().standing().getFirst());
    assertTrue(failed.detail().contains("unsafe memory access"), failed.detail());
    assertEquals("reject client_ip drop 203.0.113.7", decide(IP, "", ""), "no failed read here");
    assertEquals("accept", decide(IP, "h.example", ""), "reject needs a successful read");
    world.onError(OnError.TEMPFAIL);
    assertEquals("tempfail helo failed", decide("192.0.2.1", "h.example", ""));
    assertEquals("tempfail helo failed", decide(IP, "h.example", ""));
  }

  @Test
  void runtimeExceptionsAreFailedReadsToo() {
    world.onError(OnError.TEMPFAIL);
    world.snapshot(
        answering(key -> {
          throw new IllegalStateException("closed");
        }));
    assertEquals("tempfail client_ip failed", decide(IP, "", ""));
  }

  @Test
  void anOperatorBlockNeedsNoFeedToBeReadable() {
    world.block("192.0.2.1").onError(OnError.TEMPFAIL);
    world.snapshot(failingForNames());
    Verdict verdict = world.decide(session("192.0.2.1", "h.example", ""));
    assertEquals("reject client_ip operator 192.0.2.1", line(verdict));
    assertEquals(2, verdict.grounds().standing().size(), "the failure is reported as well");
  }

  @Test
  void aFailedReadDoesNotRefuseAnExemptRecipient() {
    world.onError(OnError.TEMPFAIL).snapshot(failingForNames());
    Facts facts = session(IP, "h.example", "");
    assertEquals("accept", line(world.decide(to(facts, "postmaster"))));
    assertEquals("tempfail helo failed", line(world.decide(to(facts, "bob"))));
  }

  /** The block goes, and then the allow entry that lifted it: at no moment was it refused. */
  @Test
  void aDecisionSeesNoHalfOfTwoChanges() {
    world.allow("198.51.100.1").block("198.51.100.1");
    Lists before = world.lists();
    AtomicReference<OperatorView> now = new AtomicReference<>(before.operator());
    OperatorView changing =
        new OperatorView() {
          @Override
          public List<OperatorEntry> covering(ListKind list, ListKey key, Instant at) {
            if (list == ListKind.ALLOW) {
              now.set(OperatorView.EMPTY);
            }
            return Objects.requireNonNull(now.get()).covering(list, key, at);
          }

          @Override
          public Object version() {
            return Objects.requireNonNull(now.get());
          }
        };
    Lists lists = new Lists(before.snapshot(), changing, before.lastSuccess());
    assertEquals(
        "accept",
        line(Gather.verdict(session("198.51.100.1", "", ""), lists, world.policy(), World.NOW)));
    assertEquals(OperatorView.EMPTY, now.get(), "they changed while it was made");
  }

  @Test
  void theProvidersNetworksAndHostsAreProtectedAsShipped() {
    world.feed(
        "drop",
        Action.REJECT,
        "40.92.0.0/15",
        "209.85.128.0/17",
        "104.47.58.33",
        "outbound.protection.outlook.com");
    world.protect(
        ProtectedSet.of(Set.of(NeverBlock.MAIL_PROVIDERS), List.of(), List.of(), List.of())
            .getFirst());
    assertEquals("accept", decide("40.92.58.33", "", "a@b.example"));
    assertEquals("accept", decide("209.85.220.41", "mail-sor-f41.google.com", "a@b.example"));
    assertEquals("accept", decide("104.47.58.33", "", "a@b.example"));
    assertEquals(
        "accept", decide("192.0.2.200", "nam02.outbound.protection.outlook.com", "a@b.example"));
  }
}
