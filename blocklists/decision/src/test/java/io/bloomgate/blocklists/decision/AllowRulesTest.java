package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of decision in gateway/README.md: what allow entries pardon, and what operator blocks they
 * lift.
 */
class AllowRulesTest {

  private static final String LISTED_IP = "203.0.113.7";
  private static final String CLEAN_IP = "198.51.100.1";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void listEachKindOnce() {
    world =
        new World(directory)
            .feed("drop", Action.REJECT, "203.0.113.0/24", "2001:db8:bad::/48")
            .feed("names", Action.REJECT, "spam.example", "=helo.example", "x@mail.example");
  }

  /** The block goes, and then the allow entry that lifted it: at no moment was it refused. */
  @Test
  void aDecisionSeesNoHalfOfTwoChanges() {
    world.allow(CLEAN_IP).block(CLEAN_IP);
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
        line(Gather.verdict(session(CLEAN_IP, "", ""), lists, world.policy(), World.NOW)));
    assertEquals(OperatorView.EMPTY, now.get(), "they changed while it was made");
  }

  @Test
  void pardonedGroundsStayInTheEvidence() {
    world.allow("203.0.113.7 # partner");
    Grounds grounds = world.decide(client(LISTED_IP)).grounds();
    assertEquals(List.of(), grounds.standing());
    assertEquals(1, grounds.pardoned().size());
    assertEquals(
        new Pardon.Allowed(world.entries().getFirst()), grounds.pardoned().getFirst().pardon());
  }
}
