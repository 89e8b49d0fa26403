package io.bloomgate.gateway.demo;

import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.demo.DemoGateway.DemoException;
import io.bloomgate.gateway.demo.DemoMails.DemoClient;
import io.bloomgate.gateway.demo.DemoMails.DemoClient.Result;
import io.bloomgate.gateway.demo.DemoMails.DemoMail;
import io.bloomgate.gateway.demo.DemoMails.DemoMail.Verdict;
import io.bloomgate.gateway.demo.DemoTable.RefusalReason;
import io.bloomgate.gateway.demo.LoopbackServer.Delivered;
import io.bloomgate.gateway.message.SampleMessage;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole job in twenty mails: a real gateway in mode enforce with sample feeds, a mail server
 * behind it, and for each mail a check of verdict and delivery. Loopback only; no root, no DNS, no
 * network. Called by Main on the main thread.
 */
public final class Demo {

  private static final int PORT = 2525;
  private static final int FAILED = 1;
  private static final String LISTENER = "mx";

  private final DemoGateway.Starter starter;
  private final PrintStream out;
  private final Surroundings world;
  private final List<Delivered> delivered = new CopyOnWriteArrayList<>();

  /**
   * The services that the demo takes from outside.
   *
   * @param threads for the mail server
   * @param nanoTime monotonic time in nanoseconds
   * @param awaitEnd returns when the user has had enough
   */
  public record Surroundings(
      ThreadFactory threads, InstantSource clock, LongSupplier nanoTime, Runnable awaitEnd) {}

  /** A demo that prints here. */
  public Demo(DemoGateway.Starter starter, PrintStream out, Surroundings world) {
    this.starter = starter;
    this.out = out;
    this.world = world;
  }

  /**
   * Shows everything.
   *
   * @param once end after the table, on any free port
   * @return true when all mails fared as they must
   * @throws DemoException when it could not be shown
   */
  public boolean run(boolean once) throws DemoException {
    try (LoopbackServer server = new LoopbackServer(world.threads(), true, delivered::add)) {
      server.up();
      try (DemoFiles files = DemoFiles.create(once ? 0 : PORT, server.port());
          DemoGateway gateway = starter.start(files.settings())) {
        boolean good = new Show(files, gateway, server).run();
        if (!once) {
          server.up();
          new DemoHints(out, files, gateway.port(LISTENER)).print();
          world.awaitEnd().run();
        }
        return good;
      }
    } catch (IOException e) {
      throw new DemoException(FAILED, "the demo cannot be shown: " + e.getMessage(), e);
    }
  }

  /** One showing. */
  private final class Show {
    private final DemoFiles files;
    private final DemoGateway gateway;
    private final LoopbackServer server;

    Show(DemoFiles files, DemoGateway gateway, LoopbackServer server) {
      this.files = files;
      this.gateway = gateway;
      this.server = server;
    }

    boolean run() throws IOException {
      try (ControlClient control = ControlClient.connect(files.socket(), Duration.ZERO)) {
        requireLists(answer(control, new ControlRequest.FeedsRefresh(List.of(), true, false)));
        allow(control, DemoMails.ALLOWED_HOST, null, "our old mail server");
        allow(control, DemoMails.ALLOWED_DOMAIN, null, "a partner");
        allow(
            control,
            DemoMails.BRANCH_DOMAIN,
            DemoMails.BRANCH_NETWORK,
            "branch office, by its network");
        String unlucky =
            DemoMails.findFalsePositive(gateway.snapshot())
                .orElseThrow(() -> new IOException("no address hits the filter by chance"));
        List<DemoMail> mails = DemoMails.all(unlucky);
        DemoClient client = new DemoClient(gateway.port(LISTENER), world.nanoTime());
        DemoGateway.Lookups before = gateway.lookups();
        DemoTable table = new DemoTable(out, mails);
        for (int i = 0; i < mails.size(); i++) {
          if (i == mails.size() - 1) {
            server.down(); // the last mail finds the mail server gone
          }
          table.add(send(i + 1, mails.get(i), client, control));
        }
        return table.summary(gateway.lookups().since(before), mails.size());
      }
    }

    private DemoTable.Row send(int number, DemoMail mail, DemoClient client, ControlClient control)
        throws IOException {
      byte[] message = message(number, mail);
      DemoGateway.Lookups before = gateway.lookups();
      int taken = delivered.size();
      Result result = client.send(mail, message);
      JsonObject explanation = explain(control, mail);
      Optional<Delivered> found =
          delivered.stream().filter(one -> one.endsWith(message)).findFirst();
      Verdict verdict = verdict(result, found);
      List<String> faults = new Faults(mail, result).of(verdict, found, delivered.size() - taken);
      if (RefusalReason.bloomHit(explanation)
          && gateway.lookups().since(before).falsePositives() == 0) {
        faults.add("the session's questions hit no filter by chance");
      }
      return new DemoTable.Row(
          mail, result, verdict, RefusalReason.of(explanation, result), faults);
    }
  }

  /** Fails without a list: the table would only show that everything passes. */
  private static void requireLists(List<JsonObject> feeds) throws IOException {
    for (JsonObject feed : feeds) {
      if (feed.text("state").orElse("").equals("failed")) {
        throw new IOException(
            "the sample list "
                + feed.text("feed").orElse("")
                + " was not loaded: "
                + feed.text("problem").orElse("no reason is known"));
      }
    }
  }

  private static void allow(
      ControlClient control, String subject, @Nullable String from, String reason)
      throws IOException {
    answer(
        control,
        new ListAdd(
            ListKind.ALLOW, List.of(subject), null, from, null, reason, null, false, false));
  }

  private static JsonObject explain(ControlClient control, DemoMail mail) throws IOException {
    List<JsonObject> items =
        answer(
            control,
            new ControlRequest.Explain(mail.client(), mail.helo(), mail.from(), null, mail.to()));
    if (items.isEmpty()) {
      throw new IOException("explain gave no answer");
    }
    return items.getFirst();
  }

  private static List<JsonObject> answer(ControlClient control, ControlRequest request)
      throws IOException {
    ControlClient.Answer answer = control.ask(request);
    if (!answer.failure().isEmpty()) {
      throw new IOException(answer.failure());
    }
    return answer.items();
  }

  /** Compares what happened with what must happen. */
  private record Faults(DemoMail mail, Result result) {
    List<String> of(Verdict verdict, Optional<Delivered> found, int newMails) {
      List<String> faults = new ArrayList<>();
      String reply = result.code() + " " + result.reply();
      if (verdict != mail.expected() || !result.stage().equals(mail.stage())) {
        faults.add("expected " + mail.expected().key() + " at " + mail.stage() + ": " + reply);
      }
      if (newMails != (mail.delivered() ? 1 : 0)) {
        faults.add("the mail server took " + newMails + " mails");
      }
      if (mail.delivered() && found.isEmpty()) {
        faults.add("the content did not arrive unchanged");
      }
      found
          .filter(taken -> !taken.client().equals(mail.client()))
          .ifPresent(taken -> faults.add("the mail server saw the client " + taken.client()));
      return faults;
    }
  }

  private static Verdict verdict(Result result, Optional<Delivered> found) {
    if (result.code() >= 500) {
      return Verdict.REJECT;
    }
    if (result.code() >= 400) {
      return Verdict.TEMPFAIL;
    }
    return found.filter(Demo::isTagged).isPresent() ? Verdict.TAG : Verdict.ACCEPT;
  }

  private static boolean isTagged(Delivered mail) {
    return mail.content().lines().anyMatch("X-Spam-Flag: YES"::equals);
  }

  private byte[] message(int number, DemoMail mail) {
    String shown = mail.from().isEmpty() ? "mailer-daemon@home.example" : mail.from();
    return SampleMessage.compose(
        isAscii(shown) ? shown : "info@home.example",
        mail.to(),
        "Demo " + number + ": " + mail.shows(),
        "This is mail " + number + " of the demo.\n",
        "demo-" + number + "." + world.nanoTime().getAsLong() + "@home.example",
        world.clock().instant());
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  /**
   * Prints commands to try while the demo's gateway stays up; every line can be pasted into a
   * shell.
   */
  static final class DemoHints {

    private static final String INSTALLED = "bloomgate";

    private final PrintStream out;
    private final DemoFiles files;
    private final int port;

    DemoHints(PrintStream out, DemoFiles files, int port) {
      this.out = out;
      this.files = files;
      this.port = port;
    }

    void print() {
      String bloomgate = quoted(command()) + " --socket " + quoted(files.socket().toString());
      out.print(
          """

          The gateway listens on 127.0.0.1:%1$d until you press Ctrl-C. Try:

            %2$s status
            %2$s explain 203.0.113.7
            %2$s feeds list
            %2$s allow add 203.0.113.7 --expires 7d --reason "a test"
            %2$s tail
            cat %3$s

          and a mail of your own, from any client address:

            %4$s
          """
              .formatted(port, bloomgate, quoted(files.decisions().toString()), mail()));
      out.flush();
    }

    /**
     * A command that sends a mail with pauses, because a client that sends before it is asked is no
     * mail server.
     */
    private String mail() {
      return "bash -c 'exec 3<>/dev/tcp/127.0.0.1/"
          + port
          + "; { printf \"PROXY TCP4 203.0.113.7 127.0.0.1 40025 "
          + port
          + "\\r\\n\"; sleep 1; printf \"EHLO mail.home.example\\r\\n\"; sleep 1;"
          + " printf \"MAIL FROM:<joe@home.example>\\r\\nRCPT TO:<alice@company.example>\\r\\n"
          + "QUIT\\r\\n\"; } >&3; cat <&3'";
    }

    /** The path as a word of a shell. */
    static String quoted(String path) {
      return path.matches("[-+.,/:=@_A-Za-z0-9]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }

    /** The launcher of these classes; one that is installed is on the path. */
    private static String command() {
      try {
        CodeSource source = DemoHints.class.getProtectionDomain().getCodeSource();
        return source == null ? INSTALLED : command(Path.of(source.getLocation().toURI()));
      } catch (URISyntaxException e) {
        return INSTALLED;
      }
    }

    /**
     * The launcher of the classes of this jar or folder: gateway/target/x.jar of the sources, or
     * usr/lib/bloomgate/gateway/x.jar of a package that was unpacked anywhere.
     */
    static String command(Path code) {
      for (String beside : List.of("../../bin/bloomgate", "../../../../bin/bloomgate")) {
        Path launcher = code.resolve(beside).normalize();
        if (Files.isExecutable(launcher)) {
          return launcher.equals(Path.of("/usr/bin/bloomgate")) ? INSTALLED : launcher.toString();
        }
      }
      return INSTALLED;
    }
  }
}
