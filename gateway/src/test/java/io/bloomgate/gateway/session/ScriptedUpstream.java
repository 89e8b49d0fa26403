package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.OutgoingContentFixture;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.relay.UpstreamSession.Source;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A mail server that follows a script and remembers what it accepted. */
final class ScriptedUpstream implements Upstream {

  static final UpstreamExtensions EVERYTHING =
      new UpstreamExtensions(true, true, true, true, false, 0, Set.of(), Set.of());

  static final Reply KNOWN = Reply.of(250, "2.1.5", "Ok");
  static final Reply NO_SUCH_USER = Reply.of(550, "5.1.1", "No such user");
  static final Reply TAKEN = Reply.of(250, "2.0.0", "Ok: queued as UPSTREAM");

  /** A message that was answered with 250. */
  record Taken(String from, List<String> to, String content) {}

  final List<Taken> taken = new CopyOnWriteArrayList<>();
  final List<String> commands = new CopyOnWriteArrayList<>();
  final List<ClientIdentity> identities = new CopyOnWriteArrayList<>();

  /** Clients whose names were looked up. */
  final List<IpAddress> named = new CopyOnWriteArrayList<>();

  volatile UpstreamExtensions announced = EVERYTHING;
  volatile UpstreamExtensions inHand = EVERYTHING;
  volatile Duration idleLimit = Duration.ofMinutes(1);

  /** Sessions that wait for a connection; one that is given back serves one of them. */
  final AtomicInteger awaited = new AtomicInteger();

  /** Others wait, and slow clients are in their way. */
  volatile boolean crowded;

  /** What is answered at a step of this argument. */
  interface Script {
    Reply at(String argument) throws UpstreamException;
  }

  /** What is done at a step without an answer. */
  interface Step {
    void run() throws UpstreamException;
  }

  // The script, for tests to change. It throws where the mail server is lost.
  volatile Step onOpen = () -> {};
  volatile Script onMail = _ -> Reply.of(250, "2.1.0", "Ok");
  volatile Script onRcpt = _ -> KNOWN;
  volatile Script onData = _ -> Reply.of(354, "", "go");
  volatile Step onContent = () -> {};
  volatile Script onFinalDot = _ -> TAKEN;

  private final Semaphore closed = new Semaphore(0);

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    onOpen.run();
    identities.add(client);
    commands.add("OPEN");
    return new Session();
  }

  @Override
  public UpstreamExtensions lastExtensions() {
    return announced;
  }

  @Override
  public Supplier<ClientName> nameOf(IpAddress client) {
    named.add(client);
    return ClientNames.NOT_ASKED;
  }

  @Override
  public Duration idleLimit() {
    return idleLimit;
  }

  /** Waits until one more connection was given back. */
  void awaitClose() throws InterruptedException {
    if (!closed.tryAcquire(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no connection is given back; commands: " + commands);
    }
  }

  /** Recipients that begin so get this reply. */
  ScriptedUpstream refusing(String prefix, Reply reply) {
    onRcpt = to -> to.startsWith(prefix) ? reply : KNOWN;
    return this;
  }

  @Override
  public boolean isCrowded() {
    return crowded;
  }

  private final class Session implements UpstreamSession {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final List<String> to = new ArrayList<>();
    private String from = "";
    private int transactions;
    private boolean mailTaken;

    @Override
    public UpstreamExtensions extensions() {
      return inHand;
    }

    @Override
    public boolean usedBefore() {
      return transactions > 1;
    }

    @Override
    public int awaited() {
      return awaited.get();
    }

    @Override
    public Reply mailAndRcpt(MailCommand mail, RcptCommand rcpt) throws UpstreamException {
      commands.add("MAIL " + mail.from());
      transactions++;
      from = mail.from();
      to.clear();
      content.reset();
      Reply reply = onMail.at(from);
      mailTaken = reply.positive();
      return mailTaken ? rcpt(rcpt) : reply;
    }

    @Override
    public boolean mailTaken() {
      return mailTaken;
    }

    @Override
    public Reply rcpt(RcptCommand rcpt) throws UpstreamException {
      String path = rcpt.to();
      commands.add("RCPT " + path);
      Reply reply = onRcpt.at(path);
      if (reply.positive()) {
        to.add(path);
      }
      return reply;
    }

    @Override
    public Reply data(OutgoingContent held) throws UpstreamException {
      commands.add("DATA");
      Reply reply = onData.at("");
      if (reply.positive()) {
        content.writeBytes(OutgoingContentFixture.held(held));
        onContent.run();
      }
      return reply;
    }

    @Override
    public void content(byte[] octets, int offset, int length) throws UpstreamException {
      onContent.run();
      content.write(octets, offset, length);
    }

    @Override
    public List<MessageReply> endOfData() throws UpstreamException {
      commands.add(".");
      Reply reply = onFinalDot.at("");
      if (reply.positive()) {
        taken.add(new Taken(from, List.copyOf(to), content.toString(StandardCharsets.ISO_8859_1)));
      }
      return List.of(new MessageReply(reply, Source.NOW));
    }

    @Override
    public void rset() {
      commands.add("RSET");
    }

    @Override
    public void close() {
      commands.add("CLOSE");
      awaited.updateAndGet(waiting -> Math.max(0, waiting - 1));
      closed.release();
    }
  }
}
