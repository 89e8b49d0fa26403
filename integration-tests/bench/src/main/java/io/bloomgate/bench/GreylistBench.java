package io.bloomgate.bench;

import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What greylisting adds to a RCPT when 100,000 senders wait and 10,000 came again on each of the
 * last 36 days. Run by {@code greylist.sh}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class GreylistBench {

  private static final int WAITING = 100_000;
  private static final int PASSED_A_DAY = 10_000;
  private static final int DAYS = 36;
  private static final String OURS = "example.com";
  private static final DomainName SENDER =
      DomainName.parse("news.shop.example").toOptional().orElseThrow();

  private static final GreylistSettings RULES =
      new GreylistSettings(Duration.ofMinutes(5), Duration.ofHours(24));

  private @Nullable Greylist greylist;
  private Instant now = Instant.parse("2026-11-23T00:00:00Z");
  private int next;

  /** Lets the senders come. */
  @Setup
  public void fill() throws IOException {
    Greylist fresh =
        Greylist.open(
            Files.createTempDirectory("greylist"),
            new SecureRandom(),
            client -> false,
            problem -> {});
    greylist = fresh;
    for (int day = 0; day < DAYS; day++) {
      visits(day * PASSED_A_DAY, PASSED_A_DAY);
      now = now.plus(RULES.delay());
      visits(day * PASSED_A_DAY, PASSED_A_DAY);
      now = now.plus(Duration.ofDays(1)).minus(RULES.delay());
    }
    now = now.minus(Duration.ofHours(12));
    visits(DAYS * PASSED_A_DAY, WAITING);
    // A chance hit of the ring lets some of them in.
    if (fresh.sizes().waiting() < WAITING * 0.97) {
      throw new IllegalStateException("not as planned: " + fresh.sizes());
    }
  }

  private void visits(int from, int count) {
    for (int i = from; i < from + count; i++) {
      visit(i);
    }
  }

  /** Each number is another network and sender. */
  private Visit visit(int number) {
    DomainName sender = DomainName.parse("s" + number + ".example").toOptional().orElse(SENDER);
    return Objects.requireNonNull(greylist)
        .ask(IpAddress.ofV4(number << 16 | 9), sender, OURS, RULES, now);
  }

  /** A sender that waits and comes too early: no filter of the ring has it. */
  @Benchmark
  public Visit early() {
    next = next + 7_919 & 0xffff;
    return visit(DAYS * PASSED_A_DAY + next);
  }

  /** A sender that came again some time in the last days. */
  @Benchmark
  public Visit passed() {
    next = next + 7_919 & 0x3ffff;
    return visit(next);
  }

  /** What the benchmark itself costs: the sender's name is made each time. */
  @Benchmark
  public DomainName name() {
    next = next + 7_919 & 0x3ffff;
    return DomainName.parse("s" + next + ".example").toOptional().orElse(SENDER);
  }
}
