package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bloomgate.blocklists.decision.Policy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policy counts while settings and feeds change under it. */
final class LivePolicyTest {

  @TempDir private Path directory;
  private final AtomicReference<Set<String>> disabled = new AtomicReference<>(Set.of());
  private final IdentityHashMap<Policy, Configuration> madeFrom = new IdentityHashMap<>();
  private Runnable whileMaking = () -> {};
  private Configuration before;
  private Configuration after;

  @BeforeEach
  void loadSettings() throws Exception {
    GatewayHouse house = new GatewayHouse(directory);
    before = load(house.write());
    after = load(house.hostname("mx2.company.example").write());
  }

  private static Configuration load(GatewayHouse house) throws Exception {
    return Configuration.load(house.settings(), Map.of(), new SecureRandom());
  }

  private LivePolicy live() {
    BiFunction<Configuration, Set<String>, Policy> maker =
        (configuration, off) -> {
          Runnable meanwhile = whileMaking;
          whileMaking = () -> {};
          meanwhile.run();
          Policy policy = Policy.of(configuration.settings(), off, List.of(), List.of());
          madeFrom.put(policy, configuration);
          return policy;
        };
    return new LivePolicy(before, disabled::get, maker);
  }

  @Test
  void itIsMadeAnewOnlyWhenSomethingChanged() {
    LivePolicy live = live();
    Policy first = live.now();
    assertSame(first, live.now());
    disabled.set(Set.of("senders"));
    Policy second = live.now();
    assertSame(second, live.now());
    assertEquals(2, madeFrom.size());
  }

  /** A session that makes a policy of the old settings is overtaken by a reload. */
  @Test
  void theSettingsOfAReloadAreNotLostToASessionThatIsLate() {
    LivePolicy live = live();
    disabled.set(Set.of("senders"));
    whileMaking = () -> live.configure(after);
    assertSame(after, madeFrom.get(live.now()));
    assertSame(after, madeFrom.get(live.now()));
  }
}
