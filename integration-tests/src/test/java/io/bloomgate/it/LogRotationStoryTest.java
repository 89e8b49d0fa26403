package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The real logrotate, with the shipped file, rotates the log of a gateway that refuses mail. */
class LogRotationStoryTest extends Story {

  private static final Path LOGROTATE = Path.of("/usr/sbin/logrotate");
  private static final Path SHIPPED = Checkout.root().resolve("config/logrotate/bloomgate");
  private static final Pattern SCRIPT = Pattern.compile("(?s)\\n +postrotate.*?endscript");
  private static final Pattern SENDER = Pattern.compile("from=<x(\\d+)@partner\\.example>");
  private static final int MAILS = 120;
  private static final int MAILS_A_ROTATION = 30;

  @Test
  void noLineIsLostOrDoubled() throws Exception {
    assumeTrue(Files.isExecutable(LOGROTATE), "logrotate is not installed");
    Path rules = rules();
    gateway.start();
    for (int first = 0; first < MAILS; first += MAILS_A_ROTATION) {
      IntStream mails = IntStream.range(first, first + MAILS_A_ROTATION);
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(() -> mails.forEach(i -> refused(i)));
      rotate(rules);
      // This is what the script in the shipped file does.
      gateway.control(new ControlRequest.ConfigReload(false));
      sent.join();
    }
    List<Integer> numbers = new ArrayList<>();
    for (Path file : logs()) {
      Matcher sender = SENDER.matcher(text(file));
      while (sender.find()) {
        numbers.add(Integer.parseInt(sender.group(1)));
      }
    }
    assertTrue(logs().size() > 1, logs().toString());
    assertEquals(IntStream.range(0, MAILS).boxed().toList(), numbers.stream().sorted().toList());
  }

  private void refused(int number) {
    // Many refusals of one network would share a line.
    try (SmtpClient sender = SmtpClient.proxied(gateway.port("mx"), "198.18." + number + ".7")) {
      String from = "x" + number + "@partner.example";
      String reply = sender.rcpt("spam.example", from, "bob@example.com");
      assertTrue(reply.startsWith("554"), reply);
      // A session that is still open when the gateway ends is logged again, with its 421.
      assertTrue(sender.ask("QUIT").startsWith("221"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The shipped file for a log in this folder, with a user who exists. */
  private Path rules() throws IOException {
    String shipped = Files.readString(SHIPPED);
    Matcher script = SCRIPT.matcher(shipped);
    assertTrue(script.find(), "postrotate is gone");
    assertTrue(script.group().contains("bloomgate config reload"), script.group());
    String rules =
        script
            .replaceFirst("")
            .replace("/var/log/bloomgate/*.log", folder.resolve("mail.log").toString())
            .replace("    su bloomgate bloomgate\n", "")
            .replace("rotate 14", "rotate 1000");
    return Files.writeString(folder.resolve("rules"), rules);
  }

  private void rotate(Path rules) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                LOGROTATE.toString(),
                "--force",
                "--state",
                folder.resolve("rotated").toString(),
                rules.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("mail.log")).toList();
    }
  }

  private static String text(Path file) throws IOException {
    byte[] octets = Files.readAllBytes(file);
    if (!file.toString().endsWith(".gz")) {
      return new String(octets, StandardCharsets.UTF_8);
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(octets))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
