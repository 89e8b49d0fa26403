package io.bloomgate.bench;

import static java.util.stream.Collectors.joining;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.campaign.PassingMail;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the fingerprints of a mail of 4 kB and its count cost a session: microseconds of CPU and
 * octets of memory that become garbage. Run by {@code campaign.sh}.
 */
public final class CampaignRun {

  private static final int CHARACTERS = 4_096;
  private static final int MAILS = 2_000;
  private static final int SHAPES = 200;
  private static final int ROUNDS = 60;
  private static final int COLD_ROUNDS = 20;
  private static final int EXPECTED = 1_000_000;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final SplittableRandom random = new SplittableRandom(1);
  private final Campaigns campaigns =
      new Campaigns(EXPECTED, 50, Duration.ofHours(1), 3, Instant.EPOCH);
  private final List<String> vocabulary = new ArrayList<>();

  private CampaignRun() {
    for (int i = 0; i < 20_000; i++) {
      StringBuilder word = new StringBuilder();
      int length = random.nextInt(2, 11);
      for (int k = 0; k < length; k++) {
        word.append((char) random.nextInt('a', 'z' + 1));
      }
      vocabulary.add(word.toString());
    }
  }

  /** Prints a figure a line. */
  public static void main(String[] arguments) {
    CampaignRun run = new CampaignRun();
    // Figures of a mail that has umlauts in each tenth word follow those of plain English.
    run.measure("ASCII", run::english);
    run.measure("umlauts", run::german);
    run.shape("numbers and links", run::order);
    run.shape("Cyrillic", run::russian);
    run.shape("Chinese", run::chinese);
    run.shape("one sentence again and again", () -> "buy cheap things now ");
    run.shape("one word without an end", run::letters);
    run.shape("spaces that are not ASCII", () -> "\u00e9\u00a0");
    run.shape("characters that become eighteen", () -> "\ufdfa ");
    long began = cpu();
    run.campaigns.tick(Instant.EPOCH.plusSeconds(600));
    System.out.printf("a turn of the ring: %.1f ms%n", (cpu() - began) / 1e6);
  }

  /** Prints alone, of texts that are made to cost much and others. */
  private void shape(String name, Supplier<String> words) {
    Cost print = new Cost();
    for (int round = 0; round < COLD_ROUNDS + ROUNDS; round++) {
      List<char[]> texts = Stream.generate(() -> text(words)).limit(SHAPES).toList();
      print.begin();
      texts.forEach(this::print);
      print.end(SHAPES);
    }
    System.out.printf("%s, prints of 4 kB: %s%n", name, print);
  }

  private void measure(String name, Supplier<String> words) {
    Cost print = new Cost();
    Cost single = new Cost();
    Cost many = new Cost();
    MailPrint copied = print(text(words));
    int bulk = 0;
    for (int round = 0; round < COLD_ROUNDS + ROUNDS; round++) {
      List<char[]> texts = new ArrayList<>();
      List<PassingMail> senders = new ArrayList<>();
      for (int i = 0; i < MAILS; i++) {
        texts.add(text(words));
        senders.add(sender());
      }
      List<MailPrint> prints = new ArrayList<>(MAILS);
      print.begin();
      texts.forEach(text -> prints.add(print(text)));
      print.end(MAILS);
      single.begin();
      for (int i = 0; i < MAILS; i++) {
        Bulk seen = campaigns.seen(prints.get(i), senders.get(i), Instant.EPOCH);
        bulk += seen != null ? 1 : 0;
      }
      single.end(MAILS);
      many.begin();
      for (int i = 0; i < MAILS; i++) {
        campaigns.seen(copied, senders.get(i), Instant.EPOCH);
      }
      many.end(MAILS);
    }
    if (bulk > 0) {
      throw new AssertionError(bulk + " single mails were taken for copies");
    }
    System.out.printf("%s, prints of 4 kB: %s%n", name, print);
    System.out.printf("%s, count of a single mail: %s%n", name, single);
    System.out.printf("%s, count of a copy: %s%n", name, many);
  }

  private static final class Cost {
    private final List<Double> micros = new ArrayList<>();
    private final List<Double> octets = new ArrayList<>();
    private long cpu;
    private long allocated;

    void begin() {
      allocated = THREADS.getCurrentThreadAllocatedBytes();
      cpu = cpu();
    }

    void end(int mails) {
      micros.add((cpu() - cpu) / 1e3 / mails);
      octets.add((double) (THREADS.getCurrentThreadAllocatedBytes() - allocated) / mails);
    }

    private static double median(List<Double> values) {
      double[] warm =
          values.subList(COLD_ROUNDS, values.size()).stream().mapToDouble(d -> d).toArray();
      Arrays.sort(warm);
      return warm[warm.length / 2];
    }

    @Override
    public String toString() {
      return "%.2f us, %.0f octets".formatted(median(micros), median(octets));
    }
  }

  private static char[] text(Supplier<String> words) {
    StringBuilder text = new StringBuilder();
    while (text.length() < CHARACTERS) {
      text.append(words.get());
    }
    return text.substring(0, CHARACTERS).toCharArray();
  }

  private String english() {
    return word() + gap();
  }

  private String german() {
    return word() + (random.nextInt(10) == 0 ? "\u00fcb" : "") + gap();
  }

  private String order() {
    return switch (random.nextInt(25)) {
          case 0 -> "https://" + word() + ".example/" + word() + "?id=" + random.nextInt(1_000);
          case 1, 2, 3 -> String.valueOf(random.nextInt(10_000));
          default -> word();
        }
        + gap();
  }

  private String russian() {
    return word().chars().mapToObj(c -> Character.toString(c - 'a' + 0x430)).collect(joining())
        + gap();
  }

  private String chinese() {
    return random
            .ints(random.nextInt(1, 30), 0x4e00, 0x9fa0)
            .mapToObj(Character::toString)
            .collect(joining())
        + "\u3002";
  }

  private String letters() {
    return Character.toString(random.nextInt('a', 'z' + 1));
  }

  private String word() {
    return vocabulary.get((int) Math.pow(vocabulary.size(), random.nextDouble()) - 1);
  }

  private String gap() {
    return random.nextInt(12) == 0 ? ".\r\n" : " ";
  }

  private MailPrint print(char[] text) {
    BodyPrint reader = new BodyPrint(2);
    reader.put(new String(text));
    Prints prints = reader.end();
    return new MailPrint(prints.exact(), prints.likeness(), List.of());
  }

  private PassingMail sender() {
    return new PassingMail(
        IpAddress.ofV4(random.nextInt(1 << 10) << 8),
        DomainName.parse("partner" + random.nextInt(100) + ".example").toOptional().orElseThrow(),
        List.of(
            MailAddress.parse("r" + random.nextInt(1_000) + "@our.example")
                .toOptional()
                .orElseThrow()),
        "0123456789");
  }

  private static long cpu() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
