package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.config.name.Check;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What it costs the thread of a session to look into a mail: CPU time and octets allocated. Called
 * by content.sh; seen.sh takes its mail.
 */
final class ContentRun {

  private static final int ROUNDS = 60;
  private static final int COLD_ROUNDS = 120;
  private static final int DIFFERENT = 200;
  private static final int PIECE = 8_192;

  /** CPU of a shape before it is measured: a mail or three leave its code to the first compiler. */
  private static final long WARM_UP = 1_500_000_000;

  private static final double MIB = 1 << 20;
  private static final MimeLimits LIMITS = MimeLimits.DEFAULTS;

  /** The scanner goes on behind every limit. */
  private static final MimeLimits NO_LIMITS =
      new MimeLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** As the sessions of a gateway share them. */
  private static final Set<Check> ALL = Check.OF_CONTENT;

  private static final Set<Check> WITHOUT_BODY = EnumSet.complementOf(EnumSet.of(Check.BODY));
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private int found;

  private ContentRun() {}

  public static void main(String[] arguments) {
    if (List.of(arguments).equals(List.of("--mail"))) {
      System.out.writeBytes(ContentMails.alternative(1)); // for seen.sh
      return;
    }
    new ContentRun().run();
  }

  private void run() {
    byte[][] small = {ContentMails.alternative(1)};
    MailEvidence evidence = scan(small[0], LIMITS, ALL);
    System.out.printf(
        Locale.ROOT,
        "a mail of %,d octets with %d keys%n",
        small[0].length,
        evidence.keys().size());
    small("everything wanted", small, ALL);
    small("everything but the body's fingerprint", small, WITHOUT_BODY);
    small("URLs and hosts", small, EnumSet.of(Check.URL, Check.URL_HOST));
    small("From, Reply-To, subject", small, EnumSet.range(Check.FROM, Check.REPLY_TO_DOMAIN));
    small("nothing but the shape", small, Set.of());
    // a processor learns the branches of one mail
    byte[][] many =
        IntStream.range(0, DIFFERENT).mapToObj(ContentMails::alternative).toArray(byte[][]::new);
    small("everything wanted, of mails that differ", many, ALL);
    byte[] large = ContentMails.attachment();
    large("ms a MB, base64 and SHA-256", large, ALL);
    large("ms a MB, nothing but the shape", large, Set.of());
    ContentMails.bombs()
        .forEach((name, mail) -> {
          large("ms a MB: " + name, mail, ALL);
          large("    without limits", mail, NO_LIMITS, ALL);
        });
    System.out.println(found + " keys");
  }

  private void small(String name, byte[][] mails, Set<Check> wanted) {
    int times = 2_000;
    double[] micros = new double[ROUNDS];
    double[] octets = new double[ROUNDS];
    for (int round = -COLD_ROUNDS; round < ROUNDS; round++) {
      long cpu = cpu();
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < times; i++) {
        found += scan(mails[i % mails.length], LIMITS, wanted).keys().size();
      }
      if (round >= 0) {
        micros[round] = (cpu() - cpu) / 1e3 / times;
        octets[round] = (THREADS.getCurrentThreadAllocatedBytes() - allocated) / (double) times;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%-60s %8.2f us (at best %.2f) %8.0f octets%n",
        name,
        median(micros),
        micros[0],
        median(octets));
  }

  private void large(String name, byte[] mail, Set<Check> wanted) {
    large(name, mail, LIMITS, wanted);
  }

  private void large(String name, byte[] mail, MimeLimits limits, Set<Check> wanted) {
    int times = 9;
    double[] millis = new double[times];
    double[] octets = new double[times];
    long begun = cpu();
    while (cpu() - begun < WARM_UP) {
      found += scan(mail, limits, wanted).keys().size();
    }
    for (int i = 0; i < times; i++) {
      long cpu = cpu();
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      found += scan(mail, limits, wanted).keys().size();
      millis[i] = (cpu() - cpu) / 1e6 / (mail.length / MIB);
      octets[i] = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }
    System.out.printf(
        Locale.ROOT,
        "%-60s %8.2f ms (at best %.2f) %8.0f kB%n",
        name,
        median(millis),
        millis[0],
        median(octets) / 1_000);
  }

  private static MailEvidence scan(byte[] mail, MimeLimits limits, Set<Check> wanted) {
    MailReader scanner = new MailReader(limits, wanted, 7, false, Thread.ofVirtual()::start);
    for (int i = 0; i < mail.length; i += PIECE) {
      scanner.put(mail, i, Math.min(PIECE, mail.length - i));
    }
    return scanner.end();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static long cpu() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
