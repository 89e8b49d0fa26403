package io.bloomgate.bench;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Sign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How many mails of folders show each sign of the content, and the CPU time of a mail without and
 * with the reading that these signs need. Run by {@code signs.sh}, one mail a file.
 */
public final class SignRun {

  private static final Set<Check> NEEDED =
      Set.of(Check.FROM, Check.FROM_DOMAIN, Check.REPLY_TO_DOMAIN, Check.URL_HOST);

  private SignRun() {}

  /** Prints a line for each folder and sign. */
  public static void main(String[] folders) throws IOException {
    for (String folder : folders) {
      List<byte[]> mails = mails(Path.of(folder));
      Map<Sign, Integer> shown = new EnumMap<>(Sign.class);
      int any = 0;
      for (byte[] mail : mails) {
        List<Sign> signs =
            Signs.ofAny(read(mail, NEEDED), List.of(), List.of()).stream()
                .map(each -> each.sign())
                .toList();
        signs.forEach(sign -> shown.merge(sign, 1, Integer::sum));
        any += signs.isEmpty() ? 0 : 1;
      }
      System.out.printf("%s: %d mails%n", folder, mails.size());
      shown.forEach((sign, count) -> line(sign.key(), count, mails.size()));
      line("any of them", any, mails.size());
      System.out.printf(
          "  CPU of a mail: %.0f us of its shape alone, %.0f us of links, %.0f us with signs%n",
          cpu(mails, Set.of(), false),
          cpu(mails, Set.of(Check.URL_HOST), false),
          cpu(mails, NEEDED, true));
    }
  }

  private static void line(String name, int count, int all) {
    System.out.printf("  %-22s %5d  %.2f %%%n", name, count, 100.0 * count / all);
  }

  private static List<byte[]> mails(Path folder) throws IOException {
    List<byte[]> mails = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(file -> {
            try {
              mails.add(Files.readAllBytes(file));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return mails;
  }

  private static MailEvidence read(byte[] mail, Set<Check> wanted) {
    MailReader reader =
        new MailReader(MimeLimits.DEFAULTS, wanted, 7, false, Thread::startVirtualThread);
    reader.put(mail, 0, mail.length);
    return reader.end();
  }

  /** Microseconds of this thread for a mail, the best of five rounds. */
  private static double cpu(List<byte[]> mails, Set<Check> wanted, boolean signs) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (byte[] mail : mails) {
        MailEvidence evidence = read(mail, wanted);
        if (signs) {
          Signs.ofAny(evidence, List.of(), List.of());
        }
      }
      long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
      best = Math.min(best, took / 1e3 / mails.size());
    }
    return best;
  }
}
