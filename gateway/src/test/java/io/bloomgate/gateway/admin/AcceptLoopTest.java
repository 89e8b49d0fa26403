package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.admin.ControlServer.AcceptLoop;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the acceptor does when there is nothing to accept with. */
final class AcceptLoopTest {

  private final List<String> events = new ArrayList<>();

  /** Empty for a failure; at the end the channel is closed. */
  private static AcceptLoop.Source<String> source(List<Optional<String>> steps) {
    Iterator<Optional<String>> next = steps.iterator();
    return () -> {
      if (!next.hasNext()) {
        throw new ClosedChannelException();
      }
      return next.next().orElseThrow(() -> new IOException("Too many open files"));
    };
  }

  @Test
  void itRestsAfterEachFailureAndGoesOn() throws InterruptedException {
    new AcceptLoop<>(
            source(List.of(Optional.empty(), Optional.empty(), Optional.of("client"))),
            events::add,
            () -> {
              events.add("rest");
              return false;
            })
        .run();
    assertEquals(List.of("rest", "rest", "client"), events);
  }

  @Test
  void anErrorDoesNotEndIt() throws InterruptedException {
    new AcceptLoop<>(
            source(List.of(Optional.of("one"), Optional.of("two"))),
            client -> {
              events.add(client);
              if (client.equals("one")) {
                throw new InternalError("no thread for it");
              }
            },
            () -> false)
        .run();
    assertEquals(List.of("one", "two"), events);
  }

  @Test
  void itEndsWhenTheServerWasClosedWhileItRested() throws InterruptedException {
    new AcceptLoop<>(
            source(List.of(Optional.empty(), Optional.of("late"))), events::add, () -> true)
        .run();
    assertEquals(List.of(), events);
  }
}
