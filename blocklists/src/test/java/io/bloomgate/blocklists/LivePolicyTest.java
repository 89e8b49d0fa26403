package io.bloomgate.blocklists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.refresh.RefreshStage;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The policy that sessions ask follows settings and disabled feeds. */
final class LivePolicyTest {

  private final AtomicReference<Set<String>> disabled = new AtomicReference<>(Set.of());
  private final IdentityHashMap<Policy, ListRules> madeFrom = new IdentityHashMap<>();
  private Runnable whileMaking = () -> {};
  private ListRules before;
  private ListRules after;

  @BeforeEach
  void readRules() throws IOException {
    before = rules("");
    after = rules("hostname: mx2.company.example\n");
  }

  private static ListRules rules(String yaml) throws IOException {
    return ListRules.read(RefreshStage.settingsWith(yaml), List.of(), List.of(), problem -> {});
  }

  private LivePolicy live() {
    return new LivePolicy(
        before,
        disabled::get,
        (rules, off) -> {
          Runnable meanwhile = whileMaking;
          whileMaking = () -> {};
          meanwhile.run();
          Policy policy = rules.policy(off);
          madeFrom.put(policy, rules);
          return policy;
        });
  }

  @Test
  void itIsMadeAgainOnlyWhenSomethingChanged() {
    LivePolicy live = live();
    Policy first = live.now();
    assertSame(first, live.now());
    disabled.set(Set.of("senders"));
    Policy second = live.now();
    assertSame(second, live.now());
    assertEquals(2, madeFrom.size());
  }

  /** A session makes a policy of the old settings while a reload brings new ones. */
  @Test
  void theSettingsOfAReloadAreNotLostToASessionThatIsLate() {
    LivePolicy live = live();
    disabled.set(Set.of("senders"));
    whileMaking = () -> live.configure(after);
    assertSame(after, madeFrom.get(live.now()));
    assertSame(after, madeFrom.get(live.now()));
  }
}
