# A webhook endpoint in plain Perl that may be killed at any moment: one line of its file is key and effect at once.
use strict;
use warnings;
use IO::Handle;
use IO::Socket::INET;

my (%known, @events);
if (open my $before, '<', $ENV{EFFECTS_FILE}) {
  while (my $line = <$before>) {
    # A line without its end was being written when the process was killed, and was never answered for.
    next unless $line =~ /^(\S+) (\S+)\n\z/;
    $known{$1} = 1;
    push @events, $2;
  }
}
my $length = -s $ENV{EFFECTS_FILE} || 0;
open my $file, '>>', $ENV{EFFECTS_FILE} or die;
$file->autoflush(1);
print {$file} "\n" if $length > 0;

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ENV{PORT}, Listen => 50, ReuseAddr => 1) or die;
STDOUT->autoflush(1);
print $server->sockport, "\n";
while (my $client = $server->accept) {
  my ($method, $key, $bytes) = ('', '', 0);
  while (defined(my $line = <$client>)) {
    $method = $1 if $line =~ /^(GET|POST) /;
    $key = $1 if $line =~ /^idempotency-key:\s*(\S+)/i;
    $bytes = $1 if $line =~ /^content-length:\s*(\d+)/i;
    last if $line =~ /^\r?\n\z/;
  }
  my $body = '';
  read($client, $body, $bytes) if $bytes > 0;
  if ($method eq 'POST' && !$known{$key} && $body =~ /"id":\s*"(evt_\w+)"/) {
    print {$file} "$key $1\n";
    $file->sync;
    $known{$key} = 1;
    push @events, $1;
  }
  my $answer = $method eq 'GET' ? '[' . join(',', map { "\"$_\"" } @events) . ']' : '';
  print {$client} "HTTP/1.1 200 OK\r\nContent-Length: " . length($answer) . "\r\nConnection: close\r\n\r\n$answer";
  close $client;
}
