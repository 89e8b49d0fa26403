package io.bloomgate.config.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No class name of Java reaches an operator. */
class FaultsTest {

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(new AccessDeniedException("/a"), "/a: permission denied"),
        Arguments.of(new NoSuchFileException("/a"), "/a: there is no such file or folder"),
        Arguments.of(
            new FileSystemException("/a", null, "No space left on device"),
            "/a: No space left on device"),
        Arguments.of(new FileSystemException(null), "it cannot be used"),
        Arguments.of(new UnknownHostException("mail.example"), "no address for mail.example"),
        Arguments.of(new MalformedInputException(1), "not UTF-8"),
        Arguments.of(new ClosedChannelException(), "closed channel"),
        Arguments.of(new IOException("Connection refused"), "Connection refused"),
        Arguments.of(new IOException(new AccessDeniedException("/a")), "/a: permission denied"),
        Arguments.of(new IllegalStateException(), "illegal state"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void areSaidInWords(Throwable fault, String words) {
    assertEquals(words, Faults.words(fault));
  }
}
