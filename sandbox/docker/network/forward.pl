# Passes connections to 127.0.0.1 on to the socket of the network gateway, after a line that says which sandbox they come from.
# Arguments: port, path of the socket, path of a file with that line.
use strict;
use warnings;
use Errno qw(EAGAIN EINTR);
use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;

my ($port, $socket, $ticket_file) = @ARGV;
open my $file, '<', $ticket_file or die "Could not read $ticket_file: $!\n";
my $ticket = <$file>;
my $most = 400;    # sides of connections
$SIG{PIPE} = 'IGNORE';

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 128, ReuseAddr => 1)
    or die "Could not listen on port $port: $@\n";
my ($readers, $writers) = (IO::Select->new($server), IO::Select->new);
# By side of a connection: the other one, what is still to be written to it, whether it has ended.
my (%other, %waiting, %ended);

sub forget {
    for my $side (@_) {
        $readers->remove($side);
        $writers->remove($side);
        delete @{$_}{$side} for \%other, \%waiting, \%ended;
        close $side;
    }
}

sub accept_one {
    my $client = $server->accept or return;
    my $gateway = IO::Socket::UNIX->new(Peer => $socket);
    if (!$gateway) {
        my $why = 'Longhaul: the network gateway does not answer; it is started again with the next command';
        print $client "HTTP/1.1 503 $why\r\nConnection: close\r\n\r\n$why\n";
        return close $client;
    }
    $_->blocking(0) for $client, $gateway;
    @other{$client, $gateway} = ($gateway, $client);
    @waiting{$client, $gateway} = ('', $ticket);
    $writers->add($gateway);
    $readers->add($gateway);
}

# Nothing more is read from a side until what came from it has been written to the other.
sub read_from {
    my ($side) = @_;
    my $other = $other{$side} or return;
    my $count = sysread $side, my $bytes, 65_536;
    return if !defined $count && ($! == EAGAIN || $! == EINTR);
    return forget($side, $other) if !defined $count;
    $readers->remove($side);
    $ended{$side} = 1 if $count == 0;
    $waiting{$other} .= $bytes;
    $writers->add($other);
}

sub write_to {
    my ($side) = @_;
    my $other = $other{$side} or return;
    if (length $waiting{$side}) {
        my $count = syswrite $side, $waiting{$side};
        return if !defined $count && ($! == EAGAIN || $! == EINTR);
        return forget($side, $other) if !defined $count;
        substr($waiting{$side}, 0, $count) = '';
        return if length $waiting{$side};
    }
    $writers->remove($side);
    return $readers->add($other) if !$ended{$other};
    return forget($side, $other) if $ended{$side};
    shutdown $side, 1;
}

while (1) {
    if (keys %other < $most) { $readers->add($server) } else { $readers->remove($server) }
    my ($readable, $writable) = IO::Select->select($readers, $writers, undef);
    for my $side (@{$writable // []}) { write_to($side) }
    for my $side (@{$readable // []}) {
        if ($side == $server) { accept_one() } else { read_from($side) }
    }
}
