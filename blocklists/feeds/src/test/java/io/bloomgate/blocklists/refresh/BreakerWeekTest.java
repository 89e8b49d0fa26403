package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A week in which a feed is poisoned with the 128 networks that a large provider sends from: a mail
 * of each between two refreshes, so that 19,328 come in. Counts the mails that the live lists would
 * refuse; with {@code -Dbloomgate.figures} it prints them.
 */
class BreakerWeekTest extends BreakerStories {

  private static final int NETWORKS = 128;

  /** So long that the feed is due whatever its jitter is. */
  private static final Duration STEP = Duration.ofMinutes(67);

  private static final int STEPS = (int) (7 * 24 * 60 / STEP.toMinutes()) + 1;
  private static final String CLEAN = "203.0.113.7\n203.0.113.8\n";

  /** What the feed lists at a step of the week. */
  enum Poison {
    FORTY_A_DAY,
    TWENTY_A_DAY,
    NINETEEN_A_DAY,
    TWENTY_A_DAY_SPREAD,
    ONE_WIDE_NETWORK;

    String text(int step) {
      return switch (this) {
        case FORTY_A_DAY -> hosts(40 * (day(step) + 1));
        case TWENTY_A_DAY -> hosts(20 * (day(step) + 1));
        case NINETEEN_A_DAY -> hosts(19 * (day(step) + 1));
        case TWENTY_A_DAY_SPREAD -> hosts(3 * (step / 3 + 1));
        case ONE_WIDE_NETWORK -> "209.85.128.0/17\n";
      };
    }

    private static int day(int step) {
      return (int) STEP.multipliedBy(step).toDays();
    }

    private static String hosts(int networks) {
      return IntStream.range(0, Math.min(networks, NETWORKS))
          .mapToObj(i -> gmail(i) + "\n")
          .collect(Collectors.joining());
    }
  }

  private static String gmail(int network) {
    return "209.85." + (128 + network) + ".41";
  }

  private static void deliver(RefreshStage stage, int network) {
    IpAddress client = IpAddress.parse(gmail(network)).toOptional().orElseThrow();
    stage.senders.accepted(client, "a@gmail.com", stage.now);
  }

  /** How many of the mails of a week are refused. */
  private int refused(Poison poison, boolean protectedSet) throws Exception {
    server.serve("/list", CLEAN);
    int refused = 0;
    try (RefreshStage stage = stage(url("bad", "/list", LOOSE + ", action: reject"))) {
      if (protectedSet) {
        stage.protectedSets =
            ProtectedSet.of(Set.of(NeverBlock.MAIL_PROVIDERS), List.of(), List.of(), List.of());
      }
      for (int day = 0; day < 3; day++) {
        IntStream.range(0, NETWORKS).forEach(network -> deliver(stage, network));
        stage.pass(DAY);
      }
      stage.loop.tick();
      String served = CLEAN;
      for (int step = 0; step < STEPS; step++) {
        stage.pass(STEP);
        String text = CLEAN + poison.text(step);
        if (!text.equals(served)) {
          server.serve("/list", text);
          served = text;
          stage.loop.tick();
        }
        for (int network = 0; network < NETWORKS; network++) {
          if (stage.listsIp(gmail(network))) {
            refused++;
          } else {
            deliver(stage, network);
          }
        }
      }
      assertTrue(stage.listsIp("203.0.113.7"), "what was listed before");
      assertTrue(
          stage.problem("bad").contains(protectedSet ? "ignored; nothing to do" : "breaker: "),
          "feeds list names it");
    }
    if (System.getProperty("bloomgate.figures") != null) {
      System.out.printf(
          "%s, %s: %d of %d good mails refused in a week%n",
          poison,
          protectedSet ? "protected networks known" : "only known senders",
          refused,
          NETWORKS * STEPS);
    }
    return refused;
  }

  @ParameterizedTest
  @EnumSource
  void noneIsRefusedWhereTheProvidersNetworksAreProtected(Poison poison) throws Exception {
    assertEquals(0, refused(poison, true));
  }

  @ParameterizedTest
  @EnumSource
  void atMostTwentyFiveAreWhereOnlyTheSendersAreKnown(Poison poison) throws Exception {
    int refused = refused(poison, false);
    assertTrue(refused <= 25, poison + ": " + refused);
  }
}
