package io.bloomgate.gateway.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SampleStatus;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How slowly content may come, on a clock that only the client moves. */
final class ContentPaceTest {

  static final Settings.Limits LIMITS = limits("{}");

  private static Settings.Limits limits(String yaml) {
    return SampleStatus.settings(
            "domains: [example.com]\ndownstream: {host: mail.example.com}\nlimits: " + yaml)
        .limits();
  }

  @Test
  void dripsBelowTheRateAreCutAfterAMinute() throws IOException {
    try (Line line = new Line(1, Duration.ofSeconds(1))) {
      assertEquals(Limit.MIN_DATA_RATE, line.readToTimeout());
      // 60 octets pay for less than half a second more.
      assertEquals(60, line.elapsed().toSeconds());
    }
  }

  @Test
  void aBurstPaysForNoMoreThanAMinute() throws IOException {
    for (Duration pause : List.of(Duration.ofSeconds(1), Duration.ofSeconds(50))) {
      try (Line line = new Line(1, pause)) {
        line.burst = 8_192;
        assertEquals(Limit.MIN_DATA_RATE, line.readToTimeout());
        assertEquals(60, line.elapsed().minus(pause).toSeconds());
      }
    }
  }

  @Test
  void halfOfTheRateIsCutThoughEachMinuteBeginsWell() throws IOException {
    // 7,680 octets, which are one minute's, every two minutes.
    try (Line line = new Line(7_680, Duration.ofMinutes(2))) {
      assertEquals(Limit.MIN_DATA_RATE, line.readToTimeout());
    }
  }

  @Test
  void whatKeepsTheRateMayTakeTheWholeTime() throws IOException {
    try (Line line = new Line(128, Duration.ofSeconds(1))) {
      assertEquals(Limit.DATA_TIMEOUT, line.readToTimeout());
      assertEquals(Duration.ofMinutes(30), line.elapsed());
    }
  }

  /** Four times the usual rate is too slow while others wait. */
  @Test
  void whileOthersWaitSlowContentIsCutSoon() throws IOException {
    try (Line line = new Line(512, Duration.ofSeconds(1))) {
      line.crowdedSeconds = 100;
      assertEquals(Limit.MIN_DATA_RATE, line.readToTimeout());
      // 5,120 octets pay for less than a second more.
      assertEquals(104, line.elapsed().toSeconds());
    }
    try (Line line = new Line(8 * 1024, Duration.ofSeconds(1))) {
      line.crowdedSeconds = 0;
      assertEquals(Limit.DATA_TIMEOUT, line.readToTimeout());
    }
  }

  @Test
  void burstsCountForTheirMinute() throws IOException {
    // 8000 octets are more than 60 seconds of 128; then nothing.
    try (Line line = new Line(8000, Duration.ofSeconds(50))) {
      assertEquals(Limit.DATA_TIMEOUT, line.readToTimeout());
    }
  }

  @Test
  void silenceIsMeasuredFromTheLastOctet() throws IOException {
    try (Line line = new Line(1, Duration.ofSeconds(21), limits("{command_timeout: 20s}"))) {
      assertEquals(Limit.COMMAND_TIMEOUT, line.readToTimeout());
      assertEquals(Duration.ofSeconds(20), line.elapsed());
    }
  }

  @Test
  void endOfTheSessionEndsContentToo() throws IOException {
    try (Line line = new Line(1000, Duration.ofSeconds(1))) {
      line.sessionEnd = Duration.ofSeconds(90).toNanos();
      assertEquals(Limit.SESSION_TIMEOUT, line.readToTimeout());
      assertEquals(Duration.ofSeconds(90), line.elapsed());
    }
  }

  /**
   * A client that sends this number of octets after each pause; the clock runs only in its pauses.
   */
  private static final class Line extends WatchedSocket {
    private final int octets;
    private final Duration pause;
    private final Settings.Limits limits;
    private long sessionEnd = Duration.ofHours(1).toNanos();
    private final AtomicLong now;
    private int timeoutMillis;
    private int burst;

    /** Others wait from this time on. */
    private long crowdedSeconds = Long.MAX_VALUE;

    Line(int octets, Duration pause) {
      this(octets, pause, LIMITS);
    }

    Line(int octets, Duration pause, Settings.Limits limits) {
      this(octets, pause, limits, new AtomicLong());
    }

    private Line(int octets, Duration pause, Settings.Limits limits, AtomicLong now) {
      super(now::get, new Watchdog(now::get));
      this.now = now;
      this.octets = octets;
      this.pause = pause;
      this.limits = limits;
    }

    Limit readToTimeout() throws IOException {
      WireReader wire = ClientWire.plain(this, Duration.ofSeconds(1)).reader();
      wire.expectContent(new byte[8 * 1024]);
      Deadline session = new Deadline(sessionEnd, Limit.SESSION_TIMEOUT);
      ContentPace pace =
          new ContentPace(limits, session, now::get, () -> elapsed().toSeconds() >= crowdedSeconds);
      return assertThrows(
              ClientTimeout.class,
              () -> {
                while (true) {
                  pace.fill(wire);
                  wire.consumeTo(wire.limit());
                }
              })
          .limit();
    }

    Duration elapsed() {
      return Duration.ofNanos(now.get());
    }

    @Override
    protected InputStream rawInput() {
      return new Drip();
    }

    @Override
    protected OutputStream rawOutput() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void setSoTimeout(int millis) {
      timeoutMillis = millis;
    }

    private final class Drip extends InputStream {
      @Override
      public int read() {
        throw new AssertionError("one octet at a time");
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        Duration patience = Duration.ofMillis(timeoutMillis);
        if (pause.compareTo(patience) > 0) {
          now.addAndGet(patience.toNanos());
          throw new SocketTimeoutException();
        }
        now.addAndGet(pause.toNanos());
        int came = Math.min(burst > 0 ? burst : octets, length);
        burst = 0;
        return came;
      }
    }
  }
}
