package io.bloomgate.gateway.demo;

import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.demo.DemoGateway.DemoException;
import io.bloomgate.gateway.demo.DemoMails.DemoClient;
import io.bloomgate.gateway.demo.DemoMails.DemoMail;
import io.bloomgate.gateway.message.SampleMessage;
import io.bloomgate.gateway.relay.SimpleClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Traffic from which Java learns for its AOT cache (JEP 514, 515): a gateway starts twice, builds
 * its lists and loads them, and mail takes every path through it some hundred times. Loopback only;
 * no root, no DNS, no network. Called by Main on the main thread when the launcher makes a cache;
 * the cache is made by Java itself when the process ends.
 */
public final class Training {

  private static final int FAILED = 1;

  /** The number of senders at the same time. */
  private static final int SENDERS = 8;

  private static final int SHORT_OCTETS = 4_000;
  private static final int LONG_OCTETS = 400_000;
  private static final String FROM = "joe@home.example";
  private static final String TO = "alice@company.example";

  /** Replaces the socket of the settings; the command line reads it. */
  private static final String SOCKET_VARIABLE = "BLOOMGATE_ADMIN__SOCKET";

  private final DemoGateway.Starter starter;
  private final Demo.Surroundings world;
  private final Size size;

  /**
   * The amount of traffic.
   *
   * @param entries in each of the two long lists
   * @param mails of each sender over a kept connection, and in as many connections of one mail
   * @param encrypted connections of each sender with STARTTLS
   * @param rounds refusals of each kind
   */
  public record Size(int entries, int mails, int encrypted, int rounds) {

    /** A size with which Java learns what is called often, in some seconds. */
    public static final Size FULL = new Size(30_000, 250, 25, 30);
  }

  /** A training in these surroundings. */
  public Training(DemoGateway.Starter starter, Demo.Surroundings world, Size size) {
    this.starter = starter;
    this.world = world;
    this.size = size;
  }

  /**
   * Trains.
   *
   * @param then a program that asks the gateway, with the control socket in its environment; none
   *     when empty
   * @throws DemoException when a mail fares otherwise than it must
   */
  public void run(List<String> then) throws DemoException {
    try (LoopbackServer open = new LoopbackServer(world.threads(), false, mail -> {});
        LoopbackServer named = new LoopbackServer(world.threads(), true, mail -> {});
        DemoFiles files = DemoFiles.create()) {
      open.up();
      named.up();
      files.write("many-addresses.txt", addresses());
      files.write("many-domains.txt", domains());
      int http = freePort();
      writeSettings(files, open, "none", http);
      try (DemoGateway _ = starter.start(files.settings())) {
        ControlClient.ask(files.socket(), new ControlRequest.FeedsRefresh(List.of(), true, true));
      }
      try (DemoGateway gateway = starter.start(files.settings())) {
        Traffic traffic = new Traffic(gateway);
        traffic.clean();
        traffic.encrypted();
        writeSettings(files, named, "proxy-v2", http);
        ControlClient.ask(files.socket(), new ControlRequest.ConfigReload(false));
        // A connection that waits for the traffic before it would be closed on a slow machine.
        try (ControlClient control = ControlClient.connect(files.socket(), Duration.ZERO)) {
          traffic.refused(control);
        }
        traffic.encrypted();
        read(URI.create("http://127.0.0.1:" + http + "/metrics"));
        runProgram(then, files);
      }
    } catch (IOException | ExecutionException e) {
      throw new DemoException(FAILED, "the training ended early: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException(FAILED, "the training was interrupted", e);
    }
  }

  private static void writeSettings(DemoFiles files, LoopbackServer server, String client, int http)
      throws IOException {
    files.writeSettings(
        "training.yaml",
        Map.of(
            "@SERVER@", Integer.toString(server.port()),
            "@CLIENT@", client,
            "@HTTP@", Integer.toString(http)));
  }

  /** Makes addresses of a network that is in nobody's hands at home: every 97th. */
  private String addresses() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < size.entries(); i++) {
      int host = i * 97;
      lines.append("11.").append(host >> 16 & 255).append('.').append(host >> 8 & 255);
      lines.append('.').append(host & 255).append('\n');
    }
    return lines.toString();
  }

  private String domains() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < size.entries(); i++) {
      lines.append("shop-").append(i * 31).append(".listed.example\n");
    }
    return lines.toString();
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private void read(URI page) throws IOException {
    for (int i = 0; i < size.rounds(); i++) {
      try (InputStream in = page.toURL().openStream()) {
        in.readAllBytes();
      }
    }
  }

  private static void runProgram(List<String> words, DemoFiles files)
      throws IOException, InterruptedException {
    if (!words.isEmpty()) {
      ProcessBuilder program = new ProcessBuilder(words).inheritIO();
      program.environment().put(SOCKET_VARIABLE, files.socket().toString());
      program.start().waitFor();
    }
  }

  /** The mails, by kind. */
  private final class Traffic {
    private final DemoGateway gateway;
    private final byte[] shortMail = message(SHORT_OCTETS);

    Traffic(DemoGateway gateway) {
      this.gateway = gateway;
    }

    /**
     * Sends clean mail over connections that stay open, and over one for each mail; most are short.
     */
    void clean() throws ExecutionException, InterruptedException {
      byte[] longMail = message(LONG_OCTETS);
      atOnce(() -> {
        try (SimpleClient client = new SimpleClient(gateway.port("plain"))) {
          for (int i = 0; i < size.mails(); i++) {
            client.send(FROM, TO, shortMail);
          }
          client.send(FROM, TO, longMail);
        }
        return null;
      });
      atOnce(() -> {
        for (int i = 0; i < size.mails(); i++) {
          try (SimpleClient client = new SimpleClient(gateway.port("plain"))) {
            client.send(FROM, TO, shortMail);
          }
        }
        return null;
      });
    }

    void encrypted() throws ExecutionException, InterruptedException {
      atOnce(() -> {
        for (int i = 0; i < size.encrypted(); i++) {
          try (SimpleClient client = new SimpleClient(gateway.port("plain"))) {
            client.startTls();
            client.send(FROM, TO, shortMail);
            client.send("", TO, shortMail); // a bounce
          }
        }
        return null;
      });
    }

    /**
     * Sends what the demo shows, but for the mail server that is down, and asks for the reasons.
     */
    void refused(ControlClient control) throws IOException {
      List<DemoMail> all = DemoMails.all("2001:db8::1");
      DemoClient client = new DemoClient(gateway.port("mx"), world.nanoTime());
      for (int round = 0; round < size.rounds(); round++) {
        for (DemoMail mail : all.subList(0, all.size() - 1)) {
          client.send(mail, shortMail);
          control.ask(
              new ControlRequest.Explain(mail.client(), mail.helo(), mail.from(), null, mail.to()));
        }
      }
    }

    /** The same task for all senders at once; ends when all have ended. */
    private void atOnce(Callable<?> task) throws ExecutionException, InterruptedException {
      try (ExecutorService senders = Executors.newThreadPerTaskExecutor(world.threads())) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
          running.add(senders.submit(task));
        }
        for (Future<?> sender : running) {
          sender.get();
        }
      }
    }
  }

  private byte[] message(int octets) {
    String line = "The quick brown fox jumps over the lazy dog, and nobody knows why it does.\n";
    return SampleMessage.compose(
        FROM,
        TO,
        "Training",
        line.repeat(octets / line.length()),
        "training." + world.nanoTime().getAsLong() + "@home.example",
        world.clock().instant());
  }
}
